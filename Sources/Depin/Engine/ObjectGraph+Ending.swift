// What is left of a graph after its last resolution.

extension ObjectGraph.State {
    /// Ends the only resolution of a graph that nobody can find again; nil for any other.
    ///
    /// A storage may go on using it as a key.
    mutating func endUnnamed() -> ObjectGraph.Ended? {
        guard resolutions == 1, !isNamed else { return nil }
        resolutions = 0
        var ended = ObjectGraph.Ended(owner: owner)
        owner = nil
        swap(&ended.instances, &instances)
        if let rest {
            ended.companions = rest.companions
            ended.dropped = [rest]
            self.rest = nil
        }
        return ended
    }

    /// Ends a resolution; of the instances with arguments the survivors are known.
    mutating func end(_ survivors: [ObjectGraph.Key: [Survivor]]) -> ObjectGraph.Ended {
        resolutions -= 1
        guard resolutions == 0 else { return ObjectGraph.Ended() }
        var ended = ObjectGraph.Ended(companions: rest?.companions ?? [], owner: owner)
        rest?.companions = []
        // Not all of the rest: it would be copied, with all that survives, to be changed.
        ended.dropped = [rest?.owners as Any, rest?.instances as Any, rest?.stored as Any]
        swap(&ended.instances, &instances)
        ended.dropped += weaken(ended.instances, survivors)
        return ended
    }

    /// Holds what are objects weakly from now on, and gives back those that were looked at: who looks may be
    /// the last to hold them.
    private mutating func weaken(
        _ instances: HashTable<ObjectGraph.Key, AnyBox>,
        _ survivors: [ObjectGraph.Key: [Survivor]]
    ) -> [AnyObject] {
        var seen: [AnyObject] = []
        let first = owner
        owner = nil
        withRest { rest in
            if let first { rest.owners.append(ObjectGraph.WeakOwner(first, isHeld: false)) }
            // The caller of `end` releases the ones of before.
            rest.owners = rest.owners.map(\.unheld)
            for (key, box) in instances.all {
                rest.survivors[key] = Survivor.of(box, nil).map { [$0] }
            }
            for (key, survivors) in survivors {
                let living = rest.survivors[key]?.living(&seen)
                rest.survivors[key] = (living ?? []) + survivors
            }
            seen += rest.removeGone()
            (rest.instances, rest.instanceCount) = ([:], 0)
            for (storage, value) in rest.stored {
                rest.storedWeakly[storage] = WeakObject.to(value)
            }
            rest.stored = [:]
        }
        return seen
    }
}

extension ObjectGraph.Rest {
    /// Forgets what has gone, once so much has come that looking through all of it is worth it.
    ///
    /// Gives back what was looked at, and whose needs were noted.
    fileprivate mutating func removeGone() -> [AnyObject] {
        guard survivors.count > survivorLimit else { return [] }
        var seen: [AnyObject] = []
        survivors = survivors.compactMapValues { all in
            let living = all.living(&seen)
            return living.isEmpty ? nil : living
        }
        for (key, dependent) in dependents where survivors[key] == nil {
            dependents[key] = nil
            seen.append(dependent)
        }
        survivorLimit = max(64, 2 * survivors.count)
        return seen
    }
}

extension [Survivor] {
    /// Those that are still there, with the objects, which are to be released without the lock.
    fileprivate func living(_ seen: inout [AnyObject]) -> [Survivor] {
        filter { survivor in
            guard let object = survivor.object else { return false }
            seen.append(object)
            return true
        }
    }
}

/// An instance of a graph that has ended, held weakly, and so are the objects among the arguments it was
/// made for: one of them may hold the instance.
struct Survivor {
    private enum Argument {
        case object(WeakObject)
        case value(AnyHashable)
    }

    let reference: WeakObject
    private let arguments: [Argument]

    var object: AnyObject? { reference.object }

    /// Nil for what cannot be found again: values, and what was made for an argument that nothing equals or
    /// that holds objects in ways that cannot be seen through.
    static func of(_ box: AnyBox, _ arguments: Arguments?) -> Survivor? {
        guard let reference = WeakObject.to(box.anyValue) else { return nil }
        var remembered: [Argument] = []
        for value in arguments?.values ?? [] {
            if let object = WeakObject.to(value) {
                remembered.append(.object(object))
            } else if let value = value as? AnyHashable, value == value, !holdsObject(value.base) {
                remembered.append(.value(value))
            } else {
                return nil
            }
        }
        return Survivor(reference: reference, arguments: remembered)
    }

    func matches(_ others: Arguments) -> Bool {
        let values = others.values
        return arguments.count == values.count
            && zip(arguments, values).allSatisfy { argument, other in
                switch argument {
                case .value(let value):
                    return value == other as? AnyHashable
                case .object(let reference):
                    guard let object = reference.object else { return false }
                    if let one = object as? AnyHashable { return one == other as? AnyHashable }
                    return object === heapObject(in: other)
                }
            }
    }

    private static func holdsObject(_ value: Any) -> Bool {
        if heapObject(in: value) != nil { return true }
        let mirror = Mirror(reflecting: value)
        // A string or a collection is its elements, and no object.
        return mirror.children.contains { holdsObject($0.value) }
    }
}
