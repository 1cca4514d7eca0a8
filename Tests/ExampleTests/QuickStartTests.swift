import Depin
import DepinTesting
import Testing

@testable import QuickStart

@Suite struct QuickStartTests {
    @Test @MainActor func `everything that is needed is registered`() throws {
        let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
        try assembler.validate(injected: InjectedProperty.ofThisProgram(modules: ["QuickStart"]))
    }

    @Test @MainActor func `all that is registered is needed`() throws {
        let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
        let all = InjectedProperty.ofThisProgram(modules: ["QuickStart"])
        let report = try assembler.validate(injected: all)
        #expect(report.propertyCount == all.count && !all.isEmpty)
        // The coordinator's factory closure asks for it when it is used.
        #expect(report.unreached.map { "\($0.request)" } == ["Database", "Profile with (Int)"])
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
}
