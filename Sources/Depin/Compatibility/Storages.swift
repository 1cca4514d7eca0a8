// The storages that code written for Swinject names. The library itself keeps instances in slots.

extension ObjectScope {
    /// Makes the storage of one registration.
    public func makeStorage() -> any InstanceStorage {
        let own: any InstanceStorage =
            switch kind {
            case .transient: TransientStorage()
            case .graph: GraphStorage()
            case .weak: WeakStorage()
            case .permanent, .opened: PermanentStorage()
            case .stored: storage?.make() ?? PermanentStorage()
            }
        return storage?.parent.map { CompositeStorage([own, $0.makeStorage()]) } ?? own
    }
}

/// Keeps the instance of each graph apart, as ``ObjectScope/graph`` does.
///
/// The ``GraphIdentifier`` holds the instance, and not the storage, so nothing grows with the number of
/// graphs.
public final class GraphStorage: InstanceStorage {
    /// The instance stored last, until the resolution has ended.
    public var instance: Any?
    /// Names the storage in graphs.
    private let number = Serial.next()

    /// Makes an empty storage.
    public init() {}

    /// Forgets the instance stored last.
    public func graphResolutionCompleted() {
        instance = nil
    }

    /// The instance stored for the graph, if it still lives.
    public func instance(inGraph graph: GraphIdentifier) -> Any? {
        graph.objectGraph.storedInstance(for: number)
    }

    /// Keeps the instance for the graph: until it has ended, and then for as long as someone else
    /// does.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        self.instance = instance
        graph.objectGraph.setStoredInstance(instance, for: number)
    }
}

/// Keeps the instance until it is reset.
public final class PermanentStorage: InstanceStorage {
    /// The instance, once there is one.
    public var instance: Any?

    /// Makes an empty storage.
    public init() {}
}

/// Keeps nothing.
public final class TransientStorage: InstanceStorage {
    /// Always nil; setting it has no effect.
    public var instance: Any? {
        get { nil }
        set { _ = newValue }
    }

    /// Makes a storage.
    public init() {}
}

/// Keeps an object for as long as something else holds it, and never keeps a value.
public final class WeakStorage: InstanceStorage {
    private weak var object: AnyObject?

    /// The object, while it lives.
    public var instance: Any? {
        get { object }
        set { object = heapObject(in: newValue) }
    }

    /// Makes an empty storage.
    public init() {}
}

/// Reads several storages in turn, and writes to all of them.
public final class CompositeStorage: InstanceStorage {
    private let components: [any InstanceStorage]

    /// The first instance that a component has; setting it sets all components.
    public var instance: Any? {
        get { first(\.instance) }
        set {
            for component in components { component.instance = newValue }
        }
    }

    /// Makes a storage of others, which it reads in this order.
    public init(_ components: [any InstanceStorage]) {
        self.components = components
    }

    /// Calls every component.
    public func graphResolutionCompleted() {
        for component in components { component.graphResolutionCompleted() }
    }

    /// The first instance that a component has for the graph.
    public func instance(inGraph graph: GraphIdentifier) -> Any? {
        first { $0.instance(inGraph: graph) }
    }

    /// Asks each component once: a lazy sequence asks twice, and a weak instance may go in between.
    private func first(_ ask: (any InstanceStorage) -> Any?) -> Any? {
        components.reduce(nil) { $0 ?? ask($1) }
    }

    /// Keeps the instance for the graph in every component.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        for component in components { component.setInstance(instance, inGraph: graph) }
    }
}
