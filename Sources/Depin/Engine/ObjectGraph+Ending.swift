// How a graph ends with its last resolution: it drops all of its instances. If a `GraphIdentifier` or a `Lazy` still
// names the graph, it holds the objects among them weakly instead, and drops the values.

/// Something that a graph keeps alive, and tells of its end.
protocol GraphCompanion: AnyObject {
    func graphHasEnded()
}

extension ObjectGraph.State {
    /// Ends the only resolution of a graph that cannot be found again; nil for other graphs.
    ///
    /// A custom storage may still use the graph as a key.
    mutating func endUnnamed() -> ObjectGraph.Ended? {
        guard resolutions == 1, !isNamed else { return nil }
        resolutions = 0
        var ended = ObjectGraph.Ended(owner: owner)
        owner = nil
        swap(&ended.instances, &instances)
        if let parts {
            ended.companions = parts.companions
            ended.dropped = [parts]
            self.parts = nil
        }
        return ended
    }

    /// Ends a resolution of a graph that may be found again; nil if there are other instances than the given ones, which
    /// were counted before they were made weak.
    mutating func endNamed(keeping weak: [ObjectGraph.Cell], of count: Int) -> ObjectGraph.Ended? {
        guard resolutions > 1 || instances.cells.count == count else { return nil }
        resolutions -= 1
        guard resolutions == 0 else { return ObjectGraph.Ended() }
        let parts = madeParts
        var ended = ObjectGraph.Ended(companions: parts.companions, owner: owner)
        if let owner { parts.owners.append(WeakObject(owner)) }
        (parts.companions, owner) = ([], nil)
        swap(&ended.instances, &instances)
        ended.dropped = [parts.stored] + parts.hold(weak)
        for (storage, value) in parts.stored.all {
            parts.storedWeakly[storage] = WeakObject.to(value)
        }
        parts.stored = RareTable()
        return ended
    }
}

extension ObjectGraph.Parts {
    /// Holds instances weakly from now on; gives back what it looked at or replaced, which the caller releases outside
    /// of the lock.
    @_optimize(size)
    fileprivate func hold(_ weak: [ObjectGraph.Cell]) -> [Any] {
        var toRelease: [Any] = []
        owners = owners.filter { owner in
            guard let living = owner.object else { return false }
            toRelease.append(living)
            return true
        }
        for (key, instance) in weak {
            toRelease.append(weakInstances[key] as Any)
            weakInstances[key] = instance
        }
        // Those that have gone are looked for once there may be enough of them.
        guard weakInstances.cells.count > weakLimit else { return toRelease }
        for (key, instance) in weakInstances.cells {
            let living = instance.living
            toRelease.append((instance, living))
            // A place that others stand behind leads to them.
            if living == nil, weakInstances[key.next] == nil { weakInstances[key] = nil }
        }
        weakLimit = max(64, 2 * weakInstances.cells.count)
        return toRelease
    }
}

extension ObjectGraph.Instance {
    /// The instance, if it is still there.
    var living: ObjectGraph.Instance? {
        guard let box = box.strengthened() else { return nil }
        return ObjectGraph.Instance(box: box, arguments: arguments, dependent: dependent)
    }

    /// The instance held weakly, as are the objects among its arguments, since one of them may hold the instance.
    ///
    /// Nil for an instance that could not be found again.
    var weakened: ObjectGraph.Instance? {
        guard let box = box.weakened() else { return nil }
        var weak = ObjectGraph.Instance(box: box, dependent: dependent)
        guard let arguments else { return weak }
        weak.arguments = WeakArguments(arguments)
        return weak.arguments == nil ? nil : weak
    }
}

/// Arguments that hold no object strongly.
private final class WeakArguments: _Arguments, @unchecked Sendable {  // as its superclass
    private let held: [Any]

    /// Nil if an argument equals nothing, not even itself, or holds objects in ways that cannot be seen.
    init?(_ arguments: Arguments) {
        var held: [Any] = []
        for value in arguments.values {
            if let object = WeakObject.to(value) {
                held.append(object)
            } else if let value = value as? AnyHashable, value == value, !holdsObject(value.base) {
                held.append(value)
            } else {
                return nil
            }
        }
        self.held = held
    }

    /// An object that has gone is replaced by one that equals nothing else.
    override var values: [Any] {
        held.map { value in (value as? WeakObject).map { $0.object ?? $0 } ?? value }
    }
}

private func holdsObject(_ value: Any) -> Bool {
    if heapObject(in: value) != nil { return true }
    // A string or a collection counts as its elements.
    return Mirror(reflecting: value).children.contains { holdsObject($0.value) }
}
