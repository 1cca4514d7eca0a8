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
