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
        graph.graph.instance(for: number)
    }

    /// Keeps the instance for the graph: until it has ended, and then for as long as someone else
    /// does.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        self.instance = instance
        graph.graph.setInstance(instance, for: number)
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
