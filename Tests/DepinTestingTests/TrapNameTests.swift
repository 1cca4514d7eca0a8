import Depin
import DepinTesting
import Foundation
import Testing

private enum Wanted {
    static let variable = "DEPIN_RUN_TRAPPING_TEST"
    /// False where the tests are a bundle in a program of the platform's.
    static let canRunAgain = CommandLine.arguments[0].hasSuffix(".xctest")
    static let test = ProcessInfo.processInfo.environment[variable]
}

private final class Missing: Sendable {}

private final class MissingScreen: Sendable {
    private let missing = Injected<Missing>()

    func show() { _ = missing.wrappedValue }
}

/// Tests that stop the process, for the test below, which runs each in a process of its own.
@Suite(.enabled(if: Wanted.test != nil))
struct Traps {
    static let plainLine = #line + 1
    @Test(.enabled(if: Wanted.test == "plain"))
    func `asks for what is missing`() {
        _ = Container()(Missing.self)
    }

    static let threadLine = #line + 1
    @Test(.enabled(if: Wanted.test == "thread"), .assemblies { AppAssembly() })
    func `asks on another thread`() async {
        let screen = MissingScreen()
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
            Thread.detachNewThread { screen.show() }
        }
    }
}

@Suite(.disabled(if: Wanted.test != nil), .enabled(if: Wanted.canRunAgain))
struct `The message of a trap names the test` {
    @Test func `that runs, also without a trait`() throws {
        let line =
            "  in the test \"asks for what is missing\" at DepinTestingTests/TrapNameTests.swift:"
        #expect(try output(of: "plain").contains(line + "\(Traps.plainLine)\n"))
    }

    @Test func `that has made the object which asks, on every thread`() throws {
        let line =
            "  in the test \"asks on another thread\" at DepinTestingTests/TrapNameTests.swift:"
        #expect(try output(of: "thread").contains(line + "\(Traps.threadLine)\n"))
    }

    /// Runs this very test program with one of the tests above.
    private func output(of test: String) throws -> String {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("depin-trap-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", "Traps"]
        process.environment = ProcessInfo.processInfo.environment
            .merging([Wanted.variable: test, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
}
