import Depin
import Testing

/// Where Depin behaves otherwise than Swinject, and nothing else specifies it.
struct `Deliberate differences` {
    private let container = Container()

    @Test func `a circular dependency is an error as soon as it is one, with its path`() throws {
        container.register(Int.self) { resolver in Int(try resolver.require(String.self)) ?? 0 }
        container.register(String.self) { resolver in "\(try resolver.require(Int.self))" }

        let error = try #require(throws: ResolutionError.self) { try container.require(Int.self) }
        guard case .circularDependency = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(error.path.count == 2)
    }

    @Test func `there is no limit to how deep a graph without a circle goes`() throws {
        for number in 1...500 {
            container.register(Int.self, name: "\(number)") { resolver in
                1 + (resolver ~> (Int.self, name: "\(number - 1)"))
            }
        }
        container.register(Int.self, name: "0") { _ in 0 }

        #expect(try container.require(Int.self, name: "500") == 500)
    }

    @Test func `the resolver given to a factory is not the container`() throws {
        container.register(Bool.self) { resolver in resolver as? Container == nil }
        container.register(Int.self) { _ in 5 }
            .initCompleted { resolver, _ in #expect(resolver as? Container == nil) }

        #expect(try container.require(Bool.self))
        _ = container.resolve(Int.self)
    }

    @Test func `a view offers no registering`() {
        #expect(container.synchronize() as? Container == nil)
    }

    @Test func `a Lazy or Provider in what a container keeps stops the program once that is gone`()
        async throws
    {
        let lazy = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                print(keptInGoneContainer { $0 ~> Lazy<Int>.self }.instance)
            }
        )
        let provider = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                print(keptInGoneContainer { $0 ~> Provider<Int>.self }.instance)
            }
        )
        for result in [lazy, provider] {
            let message = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(message.contains("Depin:"))
            #expect(message.contains("Int"))
            #expect(message.contains("no longer exists"))
        }
    }

    @Test func `a resolver in what a container keeps does not keep it alive`() throws {
        weak var gone: Container?
        let kept: Resolver
        do {
            let container = Container()
            gone = container
            container.register(Keeper.self) { resolver in Keeper(resolver) }
                .inObjectScope(.container)
            container.register(Int.self) { _ in 5 }
            kept = try container.require(Keeper.self).resolver
            #expect(kept.resolve(Int.self) == 5)
        }
        #expect(gone == nil)
        #expect(throws: ResolutionError.self) { try kept.require(Int.self) }
    }

    @Test func `a space value that is set has an effect`() {
        let assembler = Assembler()
        assembler.apply { IntAssembly() }

        withSpace(\.dependenciesAssembler, assembler) {
            #expect(Injected<Int>().wrappedValue == 5)
            #expect(SpaceValues.current.dependenciesContainer.resolve(Int.self) == 5)
        }
    }
}

private struct IntAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Int.self) { _ in 5 }
    }
}

private final class Keeper {
    let resolver: Resolver

    init(_ resolver: Resolver) { self.resolver = resolver }
}

/// What a factory of a shared instance made, when its container is gone.
private func keptInGoneContainer<Kept>(
    _ make: @escaping @Sendable (any Resolver) -> Kept
) -> Kept {
    let container = Container()
    container.register(Int.self) { 5 }
    container.register([Kept].self) { resolver in [make(resolver)] }.inObjectScope(.container)
    return (container ~> [Kept].self)[0]
}
