import Testing

@Suite struct QuickStartTests {
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
