import Testing

@testable import Depin

struct `An observed registration` {
    private let container = Container()

    private func uses(of resolve: (Container) -> Int?) -> [Int: Int] {
        let uses = Shared<[Int: Int]>([:])
        let fork = container.fork()
        let chosen = fork.observe(
            where: { _, _ in true },
            report: { used, _ in uses.change { $0[used.index, default: 0] += 1 } }
        )
        #expect(chosen.count == 1)
        #expect(uses.value.isEmpty)
        #expect(resolve(fork) == 5)
        return uses.value
    }

    @Test func `of a factory that needs nothing`() {
        container.register(Int.self) { 5 }
        #expect(uses { $0.resolve(Int.self) } == [0: 1])
    }

    @Test func `of a factory that is handed the resolver`() {
        container.register(Int.self) { resolver in resolver.resolve(Int.self, name: "x") ?? 5 }
        #expect(uses { $0.resolve(Int.self) } == [0: 1])
    }

    @Test func `of a factory with arguments`() {
        container.register(Int.self) { (_, one: Int, other: String) in one + other.count }
        #expect(uses { $0.resolve(Int.self, arguments: 2, "two") } == [0: 1])
        // Not past the observer, where the arguments stay on the stack.
        #expect(uses { $0.resolve(Int?.self, arguments: 2, "two") ?? nil } == [0: 1])
    }

    @Test func `of an initialiser`() {
        container.autoregister(Int.self, initializer: { (text: String?) in text == nil ? 5 : 0 })
        #expect(uses { $0.resolve(Int.self) } == [0: 1])
    }

    @Test func `of an extension package, with arguments and without`() {
        container._register(Int.self, factory: { (_: any Resolver) in 5 })
        #expect(uses { $0.resolve(Int.self) } == [0: 1])
        container.removeAll()
        container._register(Int.self, factory: { (input: (any Resolver, Int)) in input.1 })
        #expect(uses { $0.resolve(Int.self, argument: 5) } == [0: 1])
        #expect(
            uses {
                $0._resolve(name: nil) { (factory: ((any Resolver, Int)) -> Any) in
                    factory((container, 5))
                }
            } == [0: 1]
        )
    }

    @Test func `of an instance, which is asked for once`() {
        container.register(Int.self, instance: 5)
        #expect(
            uses { fork in fork.resolve(Int.self) == 5 ? fork.resolve(Int.self) : nil } == [0: 1]
        )
    }

    @Test func `that throws is used all the same`() {
        struct Failure: Error {}
        container.register(Int.self) { throw Failure() }
        #expect(uses { (try? $0.require(Int.self)) ?? 5 } == [0: 1])
    }
}
