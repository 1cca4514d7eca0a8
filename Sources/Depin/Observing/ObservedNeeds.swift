/// Which registration was seen to need which, in a validation or an observation.
package final class ObservedNeeds: Sendable {
    /// A need of one registration for another.
    ///
    /// Keys and the numbers of containers name both, so that it stays true after a new registration.
    package struct Need: Hashable {
        package let from: ServiceKey
        package let fromHolder: UInt
        package let to: ServiceKey
        package let toHolder: UInt
        package let deferral: Deferral
        /// True where a callback made the request, after the factory.
        package let isCompleting: Bool
        /// True if a child's decorator made the request, around a parent's registration.
        package let isAround: Bool
        /// True for a service of a scope that the requesting registration has opened itself.
        package let isOfOwnScope: Bool
    }

    private let needs = Guarded(RareSet<Need>())

    package init() {}

    package var all: [Need] { needs.withLock { $0.all.map(\.key) } }

    /// Notes a need of the registration that makes the request.
    @_optimize(size)
    package func note(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {
        let (asked, found) = (observation.asked, observation.found)
        guard let step = path.builder, let registration = step.pointee.registration else { return }
        let holder = step.pointee.holder
        // Only decorators make requests in the step of a slot around another one.
        let isAround = step.pointee.slot?.wrapping != nil
        let inner = step.pointee.slot?.wrapping?.inner.innermost.holder
        var (deferral, all) = (Deferral.none, found.map { [$0] } ?? [])
        if found == nil, let derived = derivation(of: request.key.serviceType),
            let source = derived.source(of: request.key)
        {
            (deferral, all) = (derived.deferral, asked.direct(source).map(\.found))
        }
        let ownScope = asked.chain.reversed().first { $0.opened?.opener == step.pointee.number }
        for found in all {
            let isOfOwnScope = ownScope.map { scope in
                !found.registration.kind.keeps
                    || asked.home(of: found).engine.isWithin(scope)
            }
            let need = Need(
                from: registration.key,
                fromHolder: (inner ?? holder).number,
                to: found.registration.key,
                toHolder: found.innermost.holder.number,
                deferral: deferral,
                isCompleting: step.pointee.isCompleting,
                isAround: isAround,
                isOfOwnScope: isOfOwnScope ?? false
            )
            needs.withLock { $0[need] = () }
        }
    }
}
