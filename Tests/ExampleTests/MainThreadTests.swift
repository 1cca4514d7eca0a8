import Foundation
import Testing

/// A validation on the process's main thread, which the tests have not everywhere.
///
/// Each runs the program `MainThread` in the place of an exit test.
@Suite(.timeLimit(.minutes(5)))
struct MainThreadTests {
    private let program = ExampleProgram.productsFolder.appendingPathComponent("MainThread").path

    @Test func `main-actor factories run there, what needs them elsewhere`() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { [program = program as String] in
            become(program, "fine")
        }
        let output = text(result?.standardOutputContent)
        let expected = """
            factory on the main thread: false
            main-actor factory on the main thread: true
            its decorator on the main thread: true
            its callback on the main thread: true
            a child's decorator on the main thread: true

            """
        #expect(output.hasSuffix(expected))
    }

    @Test func `main-actor factories run there for a queue that is waited for, too`() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { [program = program as String] in
            become(program, "queue")
        }
        let output = text(result?.standardOutputContent)
        #expect(output.hasSuffix("made on the main thread: true\n"))
    }

    @Test func `one that can go on neither way stops the program, after the whole report`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [program = program as String] in
            become(program, "missing")
        }
        let text = text(result?.standardErrorContent)
        #expect(text.contains("requests Leaf with `~>`, `autoResolve` or `@Injected`, and does"))
        #expect(text.contains("nothing is registered for Leaf"))
        #expect(text.contains("validation of 3 registrations found 3 problems"))
        #expect(text.contains("use `try require` there"))
    }

    @Test func `one that asks for what is provided stops it, and is told what to do`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [program = program as String] in
            become(program, "provided")
        }
        let text = text(result?.standardErrorContent)
        #expect(text.contains("or `@Injected`, which is provided elsewhere"))
        #expect(text.contains("fix: register a stand-in for it in `standIns`"))
        #expect(!text.contains("nothing is registered"))
    }

    private func text(_ bytes: [UInt8]?) -> String {
        String(decoding: bytes ?? [], as: UTF8.self)
    }
}

/// Runs a program in the place of this one.
private func become(_ program: String, _ argument: String) -> Never {
    var arguments = [strdup(program), strdup(argument), nil]
    execv(program, &arguments)
    fatalError("there is no \(program)")
}
