import Depin
import Testing

/// Code that qualifies its types by the old module's name.
struct `Names with the old module in front` {
    @Test func `they mean Depin's types`() throws {
        let container: Swinject.Container = Container()
        let entry: Swinject.ServiceEntry<Int> = container.register(Int.self) {
            (_: Swinject.Resolver) in 5
        }
        entry.inObjectScope(Swinject.ObjectScope.container)
        let assembler: Swinject.Assembler = Assembler([Module()], container: container)
        let graph = Swinject.GraphIdentifier()

        #expect(assembler.resolver.resolve(String.self) == "5")
        #expect(container.withObjectGraph(graph) { $0.resolve(Swinject.Lazy<Int>.self) } != nil)
        #expect(container.resolve(Swinject.Provider<Int>.self)?.instance == 5)
        #expect(entry.objectScope === Swinject.ObjectScope.container)
        let scope: Swinject.ObjectScopeProtocol = Swinject.ObjectScope(
            storageFactory: {
                Swinject.CompositeStorage([
                    Swinject.TransientStorage(), Swinject.GraphStorage(), Swinject.WeakStorage(),
                    Swinject.PermanentStorage() as Swinject.InstanceStorage,
                ])
            },
            description: "own"
        )
        #expect(entry.inObjectScope(scope).objectScope === scope)
    }
}

private final class Module: Swinject.Assembly {
    func assemble(container: Swinject.Container) {
        container.register(String.self) { (resolver: Swinject.Resolver) in
            "\(resolver ~> Int.self)"
        }
        container.addBehavior(Silent())
    }

    func loaded(resolver: Swinject.Resolver) {}
}

private struct Silent: Swinject.Behavior {
    func container<Type, Service>(
        _ container: Swinject.Container,
        didRegisterType type: Type.Type,
        toService entry: Swinject.ServiceEntry<Service>,
        withName name: String?
    ) {}
}
