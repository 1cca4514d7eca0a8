import Depin
import DepinTesting
import Foundation
import Testing

@testable import QuickStart

@Suite struct QuickStartTests {
    @Test @MainActor func `everything that is needed is registered`() throws {
        let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
        try assembler.validate(
            .init(injected: InjectedProperty.ofThisProgram(modules: ["QuickStart"]))
        )
    }

    @Test @MainActor func `all that is registered is needed`() throws {
        let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
        let all = InjectedProperty.ofThisProgram(modules: ["QuickStart"])
        let report = try assembler.validate(.init(injected: all))
        #expect(report.propertyCount == all.count && !all.isEmpty)
        // What takes arguments is not made, so nobody knows what it needs.
        #expect(report.unreached.map { "\($0.request)" } == ["Database"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `prints what its README shows, to the letter`() throws {
        let quickStart = ExampleProgram("QuickStart")
        let expected = try quickStart.outputInREADME(of: "swift run QuickStart")
        let run = try quickStart.run()
        #expect(run.standardOutput == expected)
        #expect(run.standardError == "")
        #expect(run.exitStatus == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `writes the page that its README speaks of`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "depin-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "quickstart.html")
        let quickStart = ExampleProgram("QuickStart")
        let command = "swift run QuickStart --picture .build/quickstart.html"
        let expected = try quickStart.outputInREADME(of: command)
        let run = try quickStart.run("--picture", file.path)
        #expect(run.standardOutput == expected)
        #expect(run.standardError == "")
        #expect(run.exitStatus == 0)
        let page = try String(contentsOf: file, encoding: .utf8)
        for service in ["FeedService", "Ranking", "Profile"] {
            #expect(page.contains("\"service\":\"\(service)\""))
        }
    }
}
