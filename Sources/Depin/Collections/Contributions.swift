/// The contributions to a type in one container; guarded by the lock of the engine's state.
package final class Contributions {
    package typealias Contribution = (key: ServiceKey, order: Int)

    fileprivate var orders = RareTable<ServiceKey, Int>()
    /// The keys of the contributions of each name.
    fileprivate var byName = RareTable<String?, [ServiceKey]>()
    /// Replaced and never changed, so that it may be used outside of the lock.
    fileprivate var sorted: [Contribution]? = []

    fileprivate init() {}

    fileprivate init(copying other: Contributions) {
        (orders, byName, sorted) = (other.orders, other.byName, other.sorted)
    }

    /// All contributions by order, and then by registration.
    fileprivate var all: [Contribution] {
        if let sorted { return sorted }
        let all = orders.all.map { (key: $0.key, order: $0.value) }
            .ordered {
                // One contribution may stand under several names.
                ($0.order, $0.key.role.number, $0.key.name ?? "")
                    < ($1.order, $1.key.role.number, $1.key.name ?? "")
            }
        sorted = all
        return all
    }
}

/// The contributions to one container, by type.
private final class AllContributions: EngineAddition {
    var table: [ObjectIdentifier: Contributions] = Dictionary()

    /// The same contributions, in the same order.
    override var forked: EngineAddition? {
        let forked = AllContributions()
        forked.table = table.mapValues { Contributions(copying: $0) }
        return forked
    }
}

extension Engine.State {
    /// The contributions to a type, if there are any.
    fileprivate func contributions(to type: Any.Type) -> Contributions? {
        additions.find(AllContributions.self)?.table[ObjectIdentifier(type)]
    }
}

extension Engine {
    /// Gives a contribution its place among those to its type, unless it has one: a replacement keeps the place.
    func placeContribution(_ key: ServiceKey, order: Int) {
        state.withLock { state in
            let contributions = state.contributions(to: key.serviceType) ?? Contributions()
            guard contributions.orders[key] == nil else { return }
            contributions.orders[key] = order
            contributions.byName[key.name, default: []].append(key)
            contributions.sorted = nil
            let all = state.additions.made(AllContributions.self)
            all.table[ObjectIdentifier(key.serviceType)] = contributions
        }
    }

    /// The contributions to a type under a name; with nil, under any.
    func contributedKeys(of type: Any.Type, named name: String?) -> [ServiceKey] {
        state.withLock { state in
            guard let byName = state.contributions(to: type)?.byName else { return [] }
            return name == nil ? byName.all.flatMap(\.value) : (byName[name] ?? []).copied
        }
    }

    /// The order of a contribution; nil for other keys.
    func orderOfContribution(_ key: ServiceKey) -> Int? {
        state.withLock { $0.contributions(to: key.serviceType)?.orders[key] }
    }

    func removeContributions(where isRemoved: (ServiceKey) -> Bool) {
        state.withLock { state in
            guard let all = state.additions.find(AllContributions.self) else { return }
            for known in all.table.values {
                for (key, _) in known.orders.all where isRemoved(key) { known.orders[key] = nil }
                known.byName.changeLists { $0.filter { !isRemoved($0) } }
                known.sorted = nil
            }
        }
    }

    private func ownContributions(to type: Any.Type) -> [Contributions.Contribution] {
        state.withLock { $0.contributions(to: type)?.all } ?? []
    }

    /// The contributions to a type here and in the parents, by order, and then the parents' first.
    package func contributions(to type: Any.Type) -> [Contributions.Contribution] {
        var all: [Contributions.Contribution] = []
        for holder in chain {
            let own = holder.ownContributions(to: type)
            if own.isEmpty { continue }
            all = all.isEmpty ? own : (own + all).ordered { $0.order < $1.order }
        }
        return all
    }

    package func contributions(to collected: Collected) -> [Contributions.Contribution] {
        let all = contributions(to: collected.type)
        return collected.hasNames ? all.filter { $0.key.name != nil } : all
    }

    /// The slots that a request for a key needs at once.
    func direct(_ key: ServiceKey) -> [(key: ServiceKey, found: Found)] {
        if let found = find(key) { return [(key, found)] }
        if let wrapped = key.wrapped { return direct(wrapped) }
        guard key.isTypeAlone, let parts = key.collected, parts.element == parts.type else {
            return []
        }
        return contributions(to: parts).flatMap { direct($0.key) }
    }

    /// The key under which a contribution belongs, and its container: in an override, those of the one with its name.
    func placeOfContribution(_ new: ServiceKey) -> (key: ServiceKey, holder: Engine) {
        guard hasFlag(.isOverride), new.name != nil, orderOfContribution(new) == nil else {
            return (new, self)
        }
        for holder in chain {
            // Without sorting all of them for each new one.
            let known = holder.contributedKeys(of: new.serviceType, named: new.name).first
            if let known { return (known, holder) }
        }
        return (new, self)
    }

    /// The error for two contributions of the same name, of which a dictionary could have only one.
    @_optimize(size)
    package func duplicateName(
        among contributions: [Contributions.Contribution]
    ) -> ResolutionError.Failure? {
        var seen = RareSet<String>()
        for key in contributions.map(\.key) {
            guard let name = key.name, !seen.insert(name) else { continue }
            // A contribution without a slot was removed meanwhile.
            let found = contributions.filter { $0.key.name == name }.compactMap { contribution in
                find(contribution.key).map {
                    ResolutionError.Registered(contribution.key, at: $0.registration.place)
                }
            }
            if found.count > 1 { return .duplicateName(name, found[0], found[1]) }
        }
        return nil
    }
}
