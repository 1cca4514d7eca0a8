import Depin
import DepinInspection
import Foundation
import Testing

private final class Feed: Sendable {}
private final class Reporter: Sendable {}

/// What a process has written that stopped.
private func output(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
}

private func fatalMessages(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.contains("Fatal error: Depin: ") }
}

/// Asks for what is not there, in a factory.
private func trap() {
    let container = Container()
    container.register(Reporter.self) { r in
        use(r ~> Feed.self)
        return Reporter()
    }
    use(container ~> Reporter.self)
}

private func print(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}

private func hearAndCompareThreads() {
    let thread = UncheckedSendable(value: Thread.current)
    ResolutionError.beforeStopping { error in
        print("first \(error.reason) \(Thread.current === thread.value)")
    }
}

private func processHears(
    _ body: @escaping @Sendable (ResolutionError) -> Void
) {
    ResolutionError.beforeStopping(body)
    trap()
}

struct `Before the program stops` {
    @Test func `a crash reporter writes its file, with the whole message`() async throws {
        let path = "\(NSTemporaryDirectory())depin-report-\(UUID()).txt"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            ResolutionError.beforeStopping { error in
                try? "\(error)".write(toFile: path, atomically: true, encoding: .utf8)
            }
            trap()
        }
        let report = try String(contentsOfFile: path, encoding: .utf8)
        #expect(report == (try Golden.trap(in: result)))
        #expect(report.contains("Feed"))
    }

    @Test func `every handler hears of it once, in order, on the thread that stops`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            hearAndCompareThreads()
            ResolutionError.beforeStopping { error in print("second \(error.path.count)") }
            trap()
        }
        let text = try output(result)
        let heard = text.split(separator: "\n").filter {
            $0.hasPrefix("first") || $0.hasPrefix("second")
        }
        #expect(heard == ["first notRegistered true", "second 1"])
        #expect(fatalMessages(text).count == 1)
    }

    @Test func `a handler may ask for what there is`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(String.self) { "reported" }
            processHears { _ in print(container ~> String.self) }
        }
        let text = try output(result)
        #expect(text.contains("\nreported\n"))
        #expect(fatalMessages(text).count == 1)
    }

    @Test func `a handler that asks and fails is heard, and hides nothing`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            processHears { _ in use(Container() ~> Date.self) }
        }
        let message = try Golden.trap(in: result)
        #expect(message.contains("nothing is registered for Feed"))
        #expect(
            message.contains(
                "a handler of beforeStopping failed: Depin: nothing is registered for Date"
            )
        )
    }

    @Test func `a handler that fails on another thread hides nothing`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            processHears { _ in
                let group = DispatchGroup()
                group.enter()
                Thread {
                    use(Container() ~> Date.self)
                    group.leave()
                }
                .start()
                group.wait()
            }
        }
        let text = try output(result)
        #expect(text.contains("Depin: nothing is registered for Date"))
        #expect(fatalMessages(text).count == 1)
        #expect(try Golden.trap(in: result).contains("nothing is registered for Feed"))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a handler that never returns hides nothing, and stops nothing from stopping`()
        async throws
    {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            processHears { _ in while true { sleep(1) } }
        }
        #expect(try Golden.trap(in: result).contains("nothing is registered for Feed"))
    }

    @Test func `a handler that ends the process hides nothing`() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(3),
            observing: [\.standardErrorContent]
        ) {
            processHears { _ in exit(3) }
        }
        #expect(try output(result).contains("Depin: nothing is registered for Feed"))
    }

    @Test func `an error that is thrown, and one of a validation, are not heard`() async throws {
        await #expect(processExitsWith: .success) {
            ResolutionError.beforeStopping { _ in exit(3) }
            let container = Container()
            container.register(Reporter.self) { r in
                use(r ~> Feed.self)
                return Reporter()
            }
            #expect(throws: ResolutionError.self) { try container.require(Feed.self) }
            #expect(throws: ValidationError.self) { try container.validate() }
        }
    }

    @Test(arguments: Asker.allCases)
    func `each form that stops is heard`(_ asker: Asker) async throws {
        let name = asker.rawValue
        await #expect(processExitsWith: .exitCode(3)) { [name = name as String] in
            ResolutionError.beforeStopping { error in
                exit(error.reason == .notRegistered ? 3 : 4)
            }
            Asker(rawValue: name)?.ask(Container())
        }
    }

    enum Asker: String, CaseIterable {
        case operation, autoResolve, property, provider, factory

        func ask(_ container: Container) {
            switch self {
            case .operation: use(container ~> Feed.self)
            case .autoResolve: use(container.autoResolve() as Feed)
            case .property: withSpace(\.dependenciesContainer, container) { use(Screen().feed) }
            case .provider:
                container.register(Feed.self) { Feed() }
                let provider = container ~> Provider<Feed>.self
                container.removeAll()
                use(provider.instance)
            case .factory:
                container.register(Feed.self) { (_, _: Int) in Feed() }
                let feeds = container ~> ServiceFactory<Feed, Int>.self
                container.removeAll()
                use(feeds(7))
            }
        }
    }
}

private final class Screen {
    @Injected var feed: Feed
}

private struct UncheckedSendable<Value>: @unchecked Sendable {  // only compared
    let value: Value
}
