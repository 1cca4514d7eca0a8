/// Which registration was seen to need which: what a validation, or an observation, has seen.
final class Needs: Sendable {
    /// A need of one registration for another, both by their keys and their containers' numbers, so that it
    /// stays true when one is registered anew.
    struct Need: Hashable {
        struct Registration: Hashable {
            let core: UInt
            let key: ServiceKey
        }

        let from: Registration
        let to: Registration
        let deferral: Deferral
        /// True where a callback made the request, after the factory.
        let isCompleting: Bool
        /// True where a child's decorator made the request, around what a parent has registered.
        let isAround: Bool
    }

    private let needs = Guarded<Set<Need>>([])

    var all: [Need] { needs.withLock { $0.map { $0 } } }

    /// Notes that the registration under way needs what it requests.
    func note(_ request: borrowing ServiceRequest, _ found: Found?, _ path: Path) {
        guard let step = path.builder, let entry = step.entry, let sink = entry.sink as? Core
        else { return }
        // What an open scope builds, or a child's decorator is around, is registered further up.
        let holder = sink.find(entry.key)?.holder ?? sink
        let isOpened = sink.opened?.scope.includes(entry.objectScope) ?? false
        var (deferral, all) = (Deferral.none, found.map { [$0] } ?? [])
        if found == nil { (deferral, all) = derived(request) }
        for found in all {
            let need = Need(
                from: Need.Registration(core: holder.number, key: entry.key),
                to: Need.Registration(core: found.holder.number, key: found.entry.key),
                deferral: deferral,
                isCompleting: step.isCompleting,
                isAround: holder !== sink && !isOpened
            )
            needs.withLock { _ = $0.insert(need) }
        }
    }

    /// What a request is derived from that gives it later; what gives it at once requests it itself.
    private func derived(_ request: borrowing ServiceRequest) -> (Deferral, [Found]) {
        guard let derived = derivation(of: request.key.serviceType), let source = derived.source
        else { return (.none, []) }
        let asked = request.asked
        if let found = asked.find(request.key.with(source)) { return (derived.deferral, [found]) }
        let parts = derivation(of: source)?.collected
        let contributions = parts.map { asked.contributions(to: $0) } ?? []
        return (derived.deferral, contributions.compactMap { asked.find($0.key) })
    }
}
