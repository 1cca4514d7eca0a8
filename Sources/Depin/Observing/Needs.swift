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
    }

    private let needs = Guarded<Set<Need>>([])

    var all: [Need] { needs.withLock { $0.map { $0 } } }

    /// Notes that the registration under way needs what it requests.
    func note(_ request: borrowing ServiceRequest, _ found: Found?, _ path: Path) {
        guard let step = path.builder, let entry = step.entry, let sink = entry.sink as? Core
        else { return }
        // What an open scope builds is registered further up.
        let holder = sink.opened == nil ? sink : sink.find(entry.key)?.holder ?? sink
        var deferral = Deferral.none
        var found = found
        if found == nil, let derived = derivation(of: request.key.serviceType),
            let source = derived.source
        {
            deferral = derived.deferral
            found = request.asked.find(request.key.with(source))
        }
        guard let found else { return }
        let need = Need(
            from: Need.Registration(core: holder.number, key: entry.key),
            to: Need.Registration(core: found.holder.number, key: found.entry.key),
            deferral: deferral,
            isCompleting: step.isCompleting
        )
        needs.withLock { _ = $0.insert(need) }
    }
}
