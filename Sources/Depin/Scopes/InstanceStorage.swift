/// Keeps the instance of one registration, as long as its scope says.
///
/// A scope of your own names a storage:
///
/// ```swift
/// final class CountingStorage: InstanceStorage {
///     private(set) var writes = 0
///     var instance: Any? { didSet { writes += 1 } }
/// }
/// let counting = ObjectScope(storageFactory: CountingStorage.init, description: "counting")
/// ```
///
/// Each entry has a storage of its own and calls it from one thread at a time, so a storage needs no
/// lock. It must not resolve from inside its methods.
public protocol InstanceStorage: AnyObject {
    /// The instance that is kept, if there is one; a reset sets nil.
    var instance: Any? { get set }
    /// Called when the outermost resolution that used the storage has ended.
    func graphResolutionCompleted()
    /// The instance that is kept for a graph; ``instance`` by default.
    func instance(inGraph graph: GraphIdentifier) -> Any?
    /// Keeps an instance for a graph; sets ``instance`` by default.
    func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier)
}

extension InstanceStorage {
    /// Does nothing.
    public func graphResolutionCompleted() {}

    /// ``instance``, whatever the graph.
    public func instance(inGraph graph: GraphIdentifier) -> Any? {
        instance
    }

    /// Sets ``instance``, whatever the graph.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        self.instance = instance
    }
}

/// Asks several storages in turn, and keeps in all of them.
public final class CompositeStorage: InstanceStorage {
    private let components: [any InstanceStorage]

    /// The first instance that a component has; what is set goes to all.
    public var instance: Any? {
        get { first(\.instance) }
        set {
            for component in components {
                component.instance = newValue
            }
        }
    }

    /// Makes a storage of others, the first to be asked first.
    public init(_ components: [any InstanceStorage]) {
        self.components = components
    }

    /// Tells every component.
    public func graphResolutionCompleted() {
        for component in components {
            component.graphResolutionCompleted()
        }
    }

    /// The first instance that a component has for the graph.
    public func instance(inGraph graph: GraphIdentifier) -> Any? {
        first { $0.instance(inGraph: graph) }
    }

    /// Asks each component once: a lazy sequence asks twice, and a weak instance may go in between.
    private func first(_ ask: (any InstanceStorage) -> Any?) -> Any? {
        for component in components {
            if let instance = ask(component) { return instance }
        }
        return nil
    }

    /// Keeps the instance for the graph in every component.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        for component in components {
            component.setInstance(instance, inGraph: graph)
        }
    }
}
