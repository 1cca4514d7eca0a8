// What is left of a graph after its last resolution.

extension ObjectGraph.State {
    /// Ends the only resolution of a graph that cannot be found again.
    mutating func endIfPlain() -> ObjectGraph.Ended? {
        guard resolutions == 1, !isNamed, rest == nil else { return nil }
        defer { (resolutions, owner) = (0, nil) }
        return ObjectGraph.Ended(owner: owner)
    }

    /// Ends a resolution; of the instances with arguments the survivors are known.
    mutating func end(
        _ survivors: [ObjectGraph.Key: [Survivor]]
    ) -> ObjectGraph.Ended {
        resolutions -= 1
        guard resolutions == 0 else { return ObjectGraph.Ended() }
        var ended = ObjectGraph.Ended(company: rest?.company ?? [], owner: owner)
        rest?.company = []
        guard isNamed else {
            ended.dropped = rest.map { [$0] } ?? []
            // A storage may go on using it as a key.
            (owner, rest) = (nil, nil)
            return ended
        }
        // Not all of the rest: it would be copied, with all that survives, to be changed.
        ended.dropped = [
            instances.all, rest?.owners as Any, rest?.instances as Any, rest?.stored as Any,
        ]
        ended.dropped += weaken(survivors)
        return ended
    }

    /// Holds what are objects weakly from now on, and gives back those that were looked at: who looks may be
    /// the last to hold them.
    private mutating func weaken(_ survivors: [ObjectGraph.Key: [Survivor]]) -> [AnyObject] {
        var seen: [AnyObject] = []
        let plain = instances.all
        let first = owner
        instances = HashTable()
        owner = nil
        withRest { rest in
            if let first { rest.owners.append(ObjectGraph.LentOwner(first, isHeld: false)) }
            // The caller of `end` releases the ones of before.
            rest.owners = rest.owners.map(\.unheld)
            for (key, box) in plain {
                rest.survivors[key] = Survivor.of(box, nil).map { [$0] }
            }
            for (key, survivors) in survivors {
                let living = rest.survivors[key]?.filter { survivor in
                    guard let object = survivor.object else { return false }
                    seen.append(object)
                    return true
                }
                rest.survivors[key] = (living ?? []) + survivors
            }
            (rest.instances, rest.instanceCount) = ([:], 0)
            for (storage, value) in rest.stored {
                rest.storedWeakly[storage] = WeakReference.to(value)
            }
            rest.stored = [:]
        }
        return seen
    }
}
