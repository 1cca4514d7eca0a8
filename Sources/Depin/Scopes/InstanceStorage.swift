/// Keeps the instance of one registration for as long as its scope says.
///
/// A scope of your own makes a storage:
///
/// ```swift
/// final class CountingStorage: InstanceStorage {
///     private(set) var writes = 0
///     var instance: Any? { didSet { writes += 1 } }
/// }
/// let counting = ObjectScope(storageFactory: CountingStorage.init, description: "counting")
/// ```
///
/// Each entry has its own storage and calls it from one thread at a time, so a storage needs no lock. It
/// must not resolve inside its methods.
public protocol InstanceStorage: AnyObject {
    /// The kept instance, if any; a reset sets nil.
    var instance: Any? { get set }
    /// Called after the outermost resolution that used the storage has ended.
    func graphResolutionCompleted()
    /// The instance kept for a graph; ``instance`` by default.
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

/// Reads several storages in turn, and writes to all of them.
public final class CompositeStorage: InstanceStorage {
    private let components: [any InstanceStorage]

    /// The first instance that a component has; setting it sets all components.
    public var instance: Any? {
        get { first(\.instance) }
        set {
            for component in components {
                component.instance = newValue
            }
        }
    }

    /// Makes a storage of others, which it reads in this order.
    public init(_ components: [any InstanceStorage]) {
        self.components = components
    }

    /// Calls every component.
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
