import Depin
import Testing

struct `Custom scopes` {
    private let container = Container()

    @Test func `an instance is stored in the storage that the scope made`() {
        let storage = SpyStorage()
        let scope = ObjectScope(storageFactory: { storage })
        container.register(Int.self) { _ in 5 }.inObjectScope(scope)

        #expect(container.resolve(Int.self) == 5)
        #expect(storage.instance as? Int == 5)
    }

    @Test func `what the storage has is used`() {
        let storage = SpyStorage()
        let scope = ObjectScope(storageFactory: { storage })
        container.register(Int.self) { _ in 5 }.inObjectScope(scope)
        storage.instance = 42

        #expect(container.resolve(Int.self) == 42)

        storage.instance = 43
        #expect(container.resolve(Int.self) == 43)
        storage.instance = nil
        #expect(container.resolve(Int.self) == 5)
        #expect(storage.instance as? Int == 5)
    }

    @Test func `an instance for each graph is another one for a Provider, which begins a graph`() {
        let made = CallCount()
        container.register(Int.self) { made.add() }
            .inObjectScope(ObjectScope(storageFactory: GraphStorage.init))
        container.register([Int].self) { r in
            [r ~> Int.self, (r ~> Provider<Int>.self).instance, r ~> Int.self]
        }
        let numbers = container ~> [Int].self
        #expect(numbers[0] == numbers[2])
        #expect(numbers[0] != numbers[1])
    }

    @Test func `what the storage has of another type is not used`() {
        let storage = SpyStorage()
        container.register(Int.self) { _ in 5 }
            .inObjectScope(ObjectScope(storageFactory: { storage }))
        storage.instance = "text"

        #expect(container.resolve(Int.self) == 5)
    }

    @Test func `a storage that forgets has the service built each time`() {
        let builds = CallCount()
        let scope = ObjectScope(storageFactory: TransientStorage.init)
        container.register(Int.self) { _ in builds.add() }.inObjectScope(scope)

        #expect(container.resolve(Int.self) == 1)
        #expect(container.resolve(Int.self) == 2)
    }

    @Test func `a storage that keeps identifiers holds nothing of their graphs`() {
        final class Part: Sendable {}
        nonisolated(unsafe) weak var part: Part?
        nonisolated(unsafe) let storage = IdentifierStorage()
        container.register(Part.self) { Part() }
        container.register(Int.self) { _ in 5 }
            .inObjectScope(ObjectScope(storageFactory: { storage }))
        container.register(String.self) { resolver in
            let made = resolver ~> Part.self
            part = made
            return "\(resolver ~> Int.self)"
        }

        #expect(container.resolve(String.self) == "5")
        #expect(!storage.known.isEmpty)
        #expect(part == nil)
    }

    @Test func `each registration has a storage of its own`() {
        let made = EventLog<SpyStorage>()
        let scope = ObjectScope(storageFactory: { made.makeNoted(SpyStorage()) })
        container.register(Int.self) { _ in 5 }.inObjectScope(scope)
        container.register(String.self) { _ in "five" }.inObjectScope(scope)
        _ = (container.resolve(Int.self), container.resolve(Int.self))
        _ = container.resolve(String.self)

        #expect(made.all.count == 2)
        #expect(made.all.first?.instance as? Int == 5)
        #expect(made.all.last?.instance as? String == "five")
    }

    @Test func `a storage is told when the outermost resolution has ended`() {
        let storage = SpyStorage()
        container.register(Int.self) { _ in 5 }
            .inObjectScope(ObjectScope(storageFactory: { storage }))
        container.register(String.self) { resolver in
            let number = resolver ~> Int.self
            #expect(storage.completions == 0, "the graph is still under way")
            return "\(number)"
        }
        _ = container.resolve(String.self)
        #expect(storage.completions == 1)
        _ = container.resolve(Int.self)
        #expect(storage.completions == 2)
    }

    @Test func `storages may keep an instance for each graph`() throws {
        let scope = ObjectScope(storageFactory: PerGraphStorage.init)
        container.register(Part.self) { _ in Part() }.inObjectScope(scope)
        container.register([Part].self) { resolver in
            [resolver ~> Part.self, resolver ~> Part.self]
        }

        let one = try container.require([Part].self)
        let other = try container.require([Part].self)
        #expect(one[0] === one[1])
        #expect(other[0] === other[1])
        #expect(one[0] !== other[0])
    }

    @Test func `a scope may be a class of one's own`() throws {
        let scope = PerUserScope()
        let entry = container.register(Part.self) { _ in Part() }.inObjectScope(scope)
        #expect(entry.objectScope === scope)

        let first = try container.require(Part.self)
        #expect(try container.require(Part.self) === first)
        #expect(scope.storages.count == 1)
        container.resetObjectScope(scope)
        #expect(try container.require(Part.self) !== first)
        container.resetObjectScope(scope, serviceType: Part.self)
        #expect(scope.storages.first?.instance == nil)
        #expect(container.description.contains("PerUserScope"))
    }

    // MARK: - Composed storages

    @Test func `a parent's storage keeps what the scope's own keeps`() throws {
        let (own, inherited) = (SpyStorage(), SpyStorage())
        let parent = ObjectScope(storageFactory: { inherited })
        let scope = ObjectScope(storageFactory: { own }, description: "x", parent: parent)
        container.register(Part.self) { _ in Part() }.inObjectScope(scope)

        let part = try container.require(Part.self)
        #expect(own.instance as? Part === part)
        #expect(inherited.instance as? Part === part)

        own.instance = nil
        #expect(try container.require(Part.self) === part, "the parent's storage has it")
        inherited.instance = nil
        #expect(try container.require(Part.self) !== part)
    }

    @Test func `the scope's own storage is asked before the parent's`() {
        let (own, inherited) = (SpyStorage(), SpyStorage())
        let parent = ObjectScope(storageFactory: { inherited })
        let scope = ObjectScope(storageFactory: { own }, parent: parent)
        container.register(Int.self) { _ in 5 }.inObjectScope(scope)
        (own.instance, inherited.instance) = (1, 2)

        #expect(container.resolve(Int.self) == 1)
    }

    @Test(arguments: [ObjectScope.graph, .weak])
    func `with such a parent an instance lives at least as long as the graph`(
        parent: ObjectScope
    ) throws {
        let scope = ObjectScope(storageFactory: WeakStorage.init, parent: parent)
        container.register(Part.self) { _ in Part() }.inObjectScope(scope)
        container.register(Bool.self) { resolver in
            weak let part = resolver ~> Part.self
            return part != nil && part === (resolver ~> Part.self)
        }
        #expect(try container.require(Bool.self))
        weak let part = container.resolve(Part.self)
        #expect(part == nil)
    }

    @Test func `a scope with the container scope as parent keeps its instances`() throws {
        let scope = ObjectScope(
            storageFactory: TransientStorage.init,
            parent: ObjectScope.container
        )
        container.register(Part.self) { _ in Part() }.inObjectScope(scope)

        #expect(try container.require(Part.self) === container.require(Part.self))
        container.resetObjectScope(.container)
        let part = try container.require(Part.self)
        container.resetObjectScope(scope)
        #expect(try container.require(Part.self) !== part)
    }
}

private final class Part {}

private final class SpyStorage: InstanceStorage, @unchecked Sendable {  // one thread each
    var instance: Any?
    private(set) var completions = 0

    func graphResolutionCompleted() {
        completions += 1
    }
}

private final class PerGraphStorage: InstanceStorage {
    var instance: Any?
    private var instances: [GraphIdentifier: Any] = [:]

    func instance(inGraph graph: GraphIdentifier) -> Any? {
        instances[graph]
    }

    func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        instances[graph] = instance
    }
}

private final class PerUserScope: ObjectScopeProtocol {
    private(set) var storages: [SpyStorage] = []

    func makeStorage() -> InstanceStorage {
        let storage = SpyStorage()
        storages.append(storage)
        return storage
    }
}

extension EventLog {
    fileprivate func makeNoted(_ element: Element) -> Element {
        note(element)
        return element
    }
}

/// Keeps every identifier that it is given.
private final class IdentifierStorage: InstanceStorage {
    var instance: Any?
    private(set) var known: [GraphIdentifier] = []

    func instance(inGraph graph: GraphIdentifier) -> Any? {
        known.append(graph)
        return instance
    }
}
