import Foundation
import Testing

@testable import Journal

/// The program as its user runs it, and what it makes of its arguments.
@Suite(.timeLimit(.minutes(5)))
struct JournalProgramTests {
    private let journal = ExampleProgram("Journal")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String]) throws -> ExampleProgram.Run {
        try journal.run(["--folder", folder.url.path] + arguments)
    }

    @Test func `prints what its README shows, to the letter`() throws {
        let place = "swift run Journal --folder .build/my-journal"
        let commands = [
            ["add", "--date", "2026-11-20", "Rain all day."],
            ["draft", "--date", "2026-11-21", "A cat on the moon"],
            ["drafts"], ["finish", "1"], ["list"], ["export", "markdown"],
            ["--user", "ada", "list"],
        ]
        for command in commands {
            let quoted = command.map { $0.contains(" ") ? "\"\($0)\"" : $0 }
            let line = "\(place) \(quoted.joined(separator: " "))"
            let run = try run(command)
            #expect(run.standardOutput == (try journal.outputInREADME(of: line)))
            #expect(run.standardError == "")
            #expect(run.exitStatus == 0)
        }
        let help = try journal.run("--help")
        #expect(help.standardOutput == (try journal.outputInREADME(of: "swift run Journal --help")))
        #expect(help.exitStatus == 0)
    }

    @Test func `programs that run at once lose nothing`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask { try run(["add", "entry \(number)"]).exitStatus }
            }
            for try await status in group {
                #expect(status == 0)
            }
        }
        let lines = try run(["list"]).standardOutput.split(separator: "\n")
        #expect(lines.count == 8)
    }

    @Test func `exports the lines of its files`() throws {
        _ = try run(["add", "one"])
        _ = try run(["add", "two\nlines"])
        let file = folder.url.appendingPathComponent("entries/me.jsonl")
        let export = try run(["export", "jsonl"])
        #expect(export.standardOutput == (try String(contentsOf: file, encoding: .utf8)))
        let other = try run(["export", "pdf"])
        #expect(other.standardError == "journal: 'pdf' is not a format: use jsonl or markdown\n")
        #expect(other.exitStatus == 1)
    }

    @Test func `goes on after a file was broken`() throws {
        _ = try run(["add", "before"])
        let file = folder.url.appendingPathComponent("entries/me.jsonl")
        try Data("{".utf8).write(to: file)
        let add = try run(["add", "after"])
        #expect(add.exitStatus == 0)
        #expect(add.standardError.contains("a line of \(file.path) cannot be read"))
        #expect(try run(["list"]).standardOutput.hasSuffix("  after\n"))
    }

    @Test func `says what it cannot do, and ends with 1`() throws {
        let run = try run(["finish", "3"])
        #expect(run.standardError == "journal: there is no draft 3; there are no drafts\n")
        #expect(run.standardOutput == "")
        #expect(run.exitStatus == 1)
        for command in [["add", "x"], ["list"]] {
            let run = try journal.run(["--folder", "/dev/null"] + command)
            #expect(run.standardError.hasSuffix(": Not a directory\n"))
            #expect(run.standardOutput == "")
            #expect(run.exitStatus == 1)
        }
    }

    @Test func `says how it was called wrongly, and ends with 2`() throws {
        let run = try run(["lst"])
        #expect(run.standardError == "journal: there is no command 'lst'; see --help\n")
        #expect(run.exitStatus == 2)
    }

    // MARK: - Arguments

    @Test(
        arguments: [
            ([], "no command"),
            (["add"], "'add' takes one text, in quotes"),
            (["add", "a", "b"], "'add' takes one text, in quotes"),
            (["add", " \n"], "the text is empty"),
            (["finish", "x"], "'x' is not a number"),
            (["list", "x"], "'list' takes no 'x'"),
            (["list", "--date", "2026-01-02"], "'list' takes no date"),
            (
                ["add", "--date", "2026-02-29"],
                "'2026-02-29' is not a date: write it as 2026-11-21"
            ),
            (["add", "--date", "now", "x"], "'now' is not a date: write it as 2026-11-21"),
            (["add", "-5"], "there is no option '-5'"),
            (["list", "--user"], "--user needs a value"),
            (["list", "--folder", ""], "the folder has no name"),
        ]
    )
    func `refuses wrong arguments`(arguments: [String], problem: String) {
        #expect(throws: UsageError(description: problem)) { try Command(arguments) }
    }

    @Test func `takes options in any place, and any text after --`() throws {
        let command = try Command(["add", "--user", "ada", "--", "-5"])
        #expect(command == Command(user: "ada", action: .add("-5", on: nil)))
        #expect(try Command(["list", "--help", "--nonsense"]).action == .help)
        #expect(try Command(["add", "--date", "2024-02-29", "leap"]).action != .help)
    }
}
