import Foundation
import Testing

/// An example of this package, run as its user runs it: as a program of its own.
///
///     let run = try ExampleProgram("QuickStart").run()
///     #expect(run.standardOutput == …)
struct ExampleProgram {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// What one run of the program left behind.
    struct Run: Equatable {
        var exitStatus: Int32
        var standardOutput: String
        var standardError: String
    }

    /// Runs the program to its end and returns all that it wrote.
    ///
    /// Its standard input is empty. `environment` is added to the environment of the tests, less what
    /// tells a program that tests run in it.
    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
        try run(arguments, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
        // Files, not pipes: a pipe that nobody empties blocks the program once it is full.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("depin-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("stdout")
        let error = folder.appendingPathComponent("stderr")
        try Data().write(to: output)
        try Data().write(to: error)

        let process = Process()
        process.executableURL = Self.productsFolder.appendingPathComponent(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("XCTest") }
            .merging(environment) { _, added in added }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: error)
        try process.run()
        process.waitUntilExit()

        return Run(
            exitStatus: process.terminationStatus,
            standardOutput: try text(of: output),
            standardError: try text(of: error)
        )
    }

    private func text(of file: URL) throws -> String {
        let data = try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// What the example's README shows below the command, `$ swift run QuickStart` for one.
    ///
    /// It stands in a block of ```` ```console ````, up to the next command or the block's end.
    func outputInREADME(of command: String) throws -> String {
        let readme = folder.appendingPathComponent("README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let commandLine = try #require(lines.firstIndex { $0 == "$ \(command)" })
        return lines[(commandLine + 1)...]
            .prefix { $0 != "```" && !$0.hasPrefix("$ ") }
            .map { $0 + "\n" }
            .joined()
    }

    /// The example's sources.
    var folder: URL {
        let thisFile = URL(fileURLWithPath: #filePath)
        let tests = thisFile.deletingLastPathComponent().deletingLastPathComponent()
        return tests.deletingLastPathComponent().appendingPathComponent("Examples/\(name)")
    }

    /// Where the build puts programs and the test bundle alike.
    static var productsFolder: URL {
        let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
}
