import Depin
import Foundation
import Testing

/// Compares every message with a golden file in `Errors/Golden`.
///
/// A change of wording is recorded with `DEPIN_RECORD_GOLDEN=1 swift test --filter ErrorMessage`.
struct ErrorMessageTests {
    @Test(arguments: Situation.all)
    func `an error that is caught says it all`(situation: Situation) throws {
        let message: String
        do {
            try situation.run(.caught)
            Issue.record("nothing went wrong")
            return
        } catch is Skipped {
            return
        } catch {
            message = "\(error)"
        }
        try Golden(situation.name).check(message)
    }

    @Test(arguments: Situation.all)
    func `the message of a trap says the same`(situation: Situation) async throws {
        let name = situation.name
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [name = name as String] in
            try Situation.named(name).run(.trap)
        }
        let message = Golden.withoutThread(try Golden.trap(in: result))
        try Golden(situation.name + " (trap)").check(
            message,
            unlessSameAs: Golden(situation.name).text.map(Golden.withoutRequire)
        )
    }
}

struct `An error whose factory threw a long text` {
    private struct Failed: Error, CustomStringConvertible { let description: String }

    private func message(of text: String) -> String {
        let container = Container()
        container.register(Int.self) { throw Failed(description: text) }
        do {
            return "\(try container.require(Int.self))"
        } catch {
            return "\(error)"
        }
    }

    @Test func `shows its beginning and the end of the message, on one page`() {
        let text = (1...300).map { "line \($0)" }.joined(separator: "\n")
        let lines = message(of: text).split(separator: "\n")
        #expect(lines.count == 100)
        #expect(lines[1] == "line 2")
        #expect(lines[69].contains(" more lines "))
        #expect(lines[99].contains("registered at"))
    }

    @Test func `shows a long line as it is where the page has room for it`() {
        let line = String(repeating: "x", count: 2000)
        let text = line + String(repeating: "\nshort", count: 20)
        #expect(message(of: text).contains(line))
    }
}

/// A text that was recorded.
struct Golden {
    let file: URL

    init(_ name: String) {
        file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/\(name).txt")
    }

    /// The message with which a process has stopped.
    static func trap(in result: ExitTest.Result?) throws -> String {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let start = try #require(text.range(of: "Fatal error: Depin: "), "\(text)")
        // A backtrace may follow.
        let lines = text[start.upperBound...].split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let message = lines.prefix { line in
            !line.isEmpty && !["Current stack trace", "***", "💣"].contains { line.hasPrefix($0) }
        }
        return message.joined(separator: "\n")
    }

    static var isRecording: Bool {
        ProcessInfo.processInfo.environment["DEPIN_RECORD_GOLDEN"] != nil
    }

    var text: String? {
        (try? String(contentsOf: file, encoding: .utf8)).map { String($0.dropLast()) }
    }

    /// Compares a message with what was recorded, line numbers masked, or records it.
    func check(_ message: String, unlessSameAs other: String? = nil) throws {
        let message = Self.masked(message)
        if message == other { return }
        if Self.isRecording {
            try (message + "\n").write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(message == text)
    }

    static func masked(_ message: String) -> String {
        message.replacing(#/\.swift:\d+/#, with: ".swift:_")
            .replacing(#/\d+ times within/#, with: "_ times within")
    }

    /// A thread is only named where the program stops.
    static func withoutThread(_ message: String) -> String {
        message.replacing(#/\n  requested outside any factory, on .*/#, with: "")
    }

    /// Only `require` leaves a trace in the message of an error that is caught.
    static func withoutRequire(_ message: String) -> String {
        message.replacing(#/\n  requested by require at \S+/#, with: "")
            .replacing(#/, for require at \S+/#, with: "")
    }
}
