import Testing

/// A validation on the process's main thread, which the tests have not everywhere.
@Suite(.timeLimit(.minutes(5)))
struct MainThreadTests {
    private let program = ExampleProgram("MainThread")

    @Test func `main-actor factories run there, what needs them elsewhere`() throws {
        let run = try program.run("fine")
        #expect(
            run.standardOutput == """
                factory on the main thread: false
                main-actor factory on the main thread: true

                """
        )
        #expect(run.standardError == "" && run.exitStatus == 0)
    }

    @Test func `one that can go on neither way stops the program, after the whole report`() throws {
        let run = try program.run("missing")
        let text = run.standardError
        #expect(run.exitStatus != 0)
        #expect(text.contains("asks for Leaf by `~>`, `autoResolve` or `@Injected`, and does not"))
        #expect(text.contains("nothing is registered for Leaf"))
        #expect(text.contains("validation of 3 registrations found 3 problems"))
        #expect(text.contains("ask by `try require` there"))
    }

    @Test func `one that asks for what is provided stops it, and is told what to do`() throws {
        let run = try program.run("provided")
        let text = run.standardError
        #expect(run.exitStatus != 0)
        #expect(text.contains("or `@Injected`, which is provided elsewhere"))
        #expect(text.contains("fix: register a stand-in for it in `standIns`"))
        #expect(!text.contains("nothing is registered"))
    }
}
