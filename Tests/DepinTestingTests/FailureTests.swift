import Depin
import DepinTesting
import Foundation
import Testing

private enum Wanted {
    static let variable = "DEPIN_RUN_FAILING_TESTS"
    /// False where the tests are a bundle in a program of the platform's.
    static let canRunAgain = CommandLine.arguments[0].hasSuffix(".xctest")
    static let areFailures = ProcessInfo.processInfo.environment[variable] != nil
}

/// Tests that fail, for the test below, which runs them in a process of their own.
@Suite(.enabled(if: Wanted.areFailures), .assemblies { AppAssembly() })
struct Failures {
    private struct Broken: Error {}

    private static func breaking() throws -> String { throw Broken() }

    static let unusedLine = #line + 1
    @Test(.overriding(strict: true) { $0.register(API.self) { FakeAPI() } })
    func `leaves an override unused`() {}

    static let forbiddenLine = #line + 1
    @Test(.forbidding(API.self))
    func `asks for a forbidden service`() {
        _ = Screen().feed
    }

    static let lateLine = #line + 1
    @Test(.forbidding(API.self))
    func `asks for a forbidden service on another thread`() async {
        let screen = Screen()
        await Task.detached { _ = screen.feed }.value
    }

    static let casesLine = #line + 1
    @Test(.forbidding(API.self), arguments: [1, 2])
    func `asks for a forbidden service in one case`(number: Int) {
        if number == 2 { _ = Screen().feed }
    }

    static let keptLine = #line + 4
    @Test
    func `keeps a screen alive`() {
        let screen = Screen()
        expectReleased { screen }
    }

    static let brokenLine = #line + 1
    @Test(.space(\.theme, try breaking()))
    func `has no space to run in`() {
        Issue.record("it runs all the same")
    }
}

/// Each failure stands where Swift Testing prints it: at the test, and in no file of the library.
@Suite(.disabled(if: Wanted.areFailures), .enabled(if: Wanted.canRunAgain))
struct `A failure` {
    @Test
    func `is shown at the line of the test`() throws {
        let output = try runFailures()
        let issue = /Test "(.*?)" recorded an issue (?:with .*? )?at (.*?):([0-9]+):/
        let found = output.matches(of: issue).map { "\($0.1): \($0.2) \($0.3)" }
        let expected = [
            ("asks for a forbidden service", Failures.forbiddenLine),
            ("asks for a forbidden service in one case", Failures.casesLine),
            ("asks for a forbidden service on another thread", Failures.lateLine),
            ("has no space to run in", Failures.brokenLine),
            ("keeps a screen alive", Failures.keptLine),
            ("leaves an override unused", Failures.unusedLine),
        ]
        let lines = expected.map { "\($0.0): FailureTests.swift \($0.1)" }
        #expect(found.sorted() == lines.sorted(), "\(output)")
    }

    /// Runs this very test program with the failing tests only.
    private func runFailures() throws -> String {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("depin-failures-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", "Failures"]
        process.environment = ProcessInfo.processInfo.environment
            .merging([Wanted.variable: "1"]) { _, added in added }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
}
