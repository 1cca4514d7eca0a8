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

    /// Ends a resolution of a graph that may be found again; the instances with arguments that live on are given.
    mutating func endNamed(_ weakInstances: [ObjectGraph.Instances]) -> ObjectGraph.Ended {
        resolutions -= 1
        guard resolutions == 0 else { return ObjectGraph.Ended() }
        var ended = ObjectGraph.Ended(companions: parts?.companions ?? [], owner: owner)
        parts?.companions = []
        ended.dropped = [parts?.instances as Any, parts?.stored as Any]
        swap(&ended.instances, &instances)
        ended.dropped += weaken(ended.instances, weakInstances)
        return ended
    }

    /// Holds all objects weakly from now on, and gives back the objects that it looked at, of which it may have the
    /// last references.
    @_optimize(size)
    private mutating func weaken(
        _ instances: SmallTable<ObjectGraph.Key, AnyBox>,
        _ weakInstances: [ObjectGraph.Instances]
    ) -> [AnyObject] {
        var toRelease: [AnyObject] = []
        let parts = madeParts
        if let owner { parts.owners.append(WeakObject(owner)) }
        owner = nil
        parts.owners = parts.owners.filter { owner in
            guard let living = owner.object else { return false }
            toRelease.append(living)
            return true
        }
        for (key, box) in instances.cells {
            var instance = ObjectGraph.Instance(arguments: nil, box: box)
            instance.dependent = parts.dependents[key]
            _ = parts.weakInstances[key]?.living(&toRelease)
            // A value is never found again.
            parts.weakInstances[key] = instance.weakened.map { [$0] }
        }
        toRelease += parts.dependents.cells.map(\.value)
        parts.dependents = SmallTable()
        for (key, weakInstances) in weakInstances {
            let living = parts.weakInstances[key]?.living(&toRelease)
            parts.weakInstances[key] = (living ?? []) + weakInstances
        }
        toRelease += parts.removeReleased()
        (parts.instances, parts.instanceCount) = (RareTable(), 0)
        for (storage, value) in parts.stored.all {
            parts.storedWeakly[storage] = WeakObject.to(value)
        }
        parts.stored = RareTable()
        return toRelease
    }
}

extension ObjectGraph.Parts {
    /// Forgets the instances that have gone, once there may be enough of them to be worth a look at all.
    ///
    /// Gives back the objects that it looked at, and the dependents of those that have gone.
    fileprivate func removeReleased() -> [AnyObject] {
        guard weakInstances.count > weakLimit else { return [] }
        var toRelease: [AnyObject] = []
        weakInstances.changeLists { $0.living(&toRelease) }
        weakLimit = max(64, 2 * weakInstances.count)
        return toRelease
    }
}

extension [ObjectGraph.Instance] {
    /// The first instance that is still there.
    // A loop, because a lazy map looks twice, and the instance may go in between.
    var firstLiving: ObjectGraph.Instance? {
        for var instance in self {
            guard let living = instance.box.strengthened() else { continue }
            instance.box = living
            return instance
        }
        return nil
    }

    /// The instances that are still there.
    ///
    /// Their objects, and the dependents of the others, are added to those that the caller releases outside of the
    /// lock.
    fileprivate func living(_ toRelease: inout [AnyObject]) -> [ObjectGraph.Instance] {
        filter { instance in
            let living = instance.box.strengthened()
            if let object: AnyObject = living ?? instance.dependent { toRelease.append(object) }
            return living != nil
        }
    }
}

extension ObjectGraph.Instance {
    /// The instance held weakly, as are the objects among its arguments, since one of them may hold the instance.
    ///
    /// Nil for an instance that could not be found again.
    var weakened: ObjectGraph.Instance? {
        guard let box = box.weakened() else { return nil }
        let weakArguments = arguments.flatMap { WeakArguments($0) }
        guard arguments == nil || weakArguments != nil else { return nil }
        return ObjectGraph.Instance(arguments: weakArguments, box: box, dependent: dependent)
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
