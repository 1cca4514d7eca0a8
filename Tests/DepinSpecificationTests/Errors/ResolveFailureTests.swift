import Depin
import Foundation
import Testing

/// `resolve` gives nil for what is not registered; every other failure stops the program.
struct `What resolve stops the program for` {
    private static let shapes: [@Sendable (any Resolver) -> Int?] = [
        { $0.resolve(Int.self) },
        { $0.resolve(Int.self, argument: "a") },
        { $0.resolve(Int.self, arguments: "a", "b") },
        { $0.resolve(Int.self, name: "n") },
        { $0.resolve(Int.self, name: "n", argument: "a") },
        { $0.resolve(Int.self, name: "n", arguments: "a", "b") },
        { $0.resolve(Int.self, name: Name.n) },
        { $0.resolve(Int.self, name: Name.n, argument: "a") },
        { $0.resolve(Int.self, name: Name.n, arguments: "a", "b") },
    ]

    @Test(arguments: shapes.indices)
    func `a factory that throws, in every shape`(shape: Int) async throws {
        #expect(Self.shapes[shape](Container()) == nil)
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [shape = shape as Int] in
            let container = Container()
            for name in [nil, "n"] {
                container.register(Int.self, name: name) { throw OutOfDisk() }
                container.register(Int.self, name: name) { (_, _: String) in throw OutOfDisk() }
                container.register(Int.self, name: name) { (_, _: String, _: String) in
                    throw OutOfDisk()
                }
            }
            use(Self.shapes[shape](container) as Any)
        }
        #expect(try Golden.trap(in: result).contains("threw: OutOfDisk()"))
    }

    private static let failures: [String: @Sendable () -> Int?] = [
        "nothing is registered for String": {
            let container = Container()
            container.autoregister(Int.self) { (text: String) in text.count }
            return container.resolve(Int.self)
        },
        "circular dependency: Int → Int": {
            let container = Container()
            container.register(Int.self) { r in try r.require(Int.self) }
            return container.resolve(Int.self)
        },
        "Int has a main-actor factory": {
            let container = Container()
            container.register(Int.self, mainActorFactory: { 1 })
            let done = DispatchSemaphore(value: 0)
            Thread {
                use(container.resolve(Int.self) as Any)
                done.signal()
            }.start()
            done.wait()
            return nil
        },
        "Int forwards to the registration": {
            let container = Container()
            container.register(String.self) { "" }.implements(Int.self)
            return container.resolve(Int.self)
        },
        "Int was requested from a container that no longer exists": {
            let kept = EventLog<any Resolver>()
            let container = Container()
            container.register(Void.self) { r in kept.note(r) }.inObjectScope(.container)
            use(container ~> Void.self)
            _ = consume container
            return kept.all.first?.resolve(Int.self)
        },
    ]

    @Test(arguments: failures.keys.sorted())
    func `anything else that goes wrong`(words: String) async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [words = words as String] in
            use(Self.failures[words]?() as Any)
        }
        #expect(try Golden.trap(in: result).hasPrefix(words))
    }

    private enum Name: String, ServiceName { case n }
}
