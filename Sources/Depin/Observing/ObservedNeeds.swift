/// Which registration was seen to need which, in a validation or an observation.
package final class ObservedNeeds: Sendable {
    /// A registration at one end of a need.
    ///
    /// Its key and its container name it, too, so that the need stays true after a new registration.
    package struct End: Hashable {
        package let registration: UInt
        package let key: ServiceKey
        package let holder: UInt
        /// In a validation, the container that makes the instance, unless a scope shares it; otherwise 0, because needs
        /// would grow in number with the scopes that open and close.
        package let maker: UInt

        fileprivate init(_ registration: Registration, in holder: Engine, by maker: Engine) {
            self.registration = registration.number
            key = registration.key
            self.holder = holder.number
            self.maker = maker.hasFlag(.isValidated) ? maker.number : 0
        }
    }

    /// A need of one registration for another.
    package struct Need: Hashable {
        package let from: End
        package let to: End
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
                from: End(registration, in: inner ?? step.pointee.holder, by: step.pointee.engine),
                to: End(found.registration, in: found.innermost.holder, by: asked),
                deferral: deferral,
                isCompleting: step.pointee.isCompleting,
                isAround: isAround,
                isOfOwnScope: isOfOwnScope ?? false
            )
            needs.withLock { $0[need] = () }
        }
    }
}
