import Depin

extension Survey {
    /// A registration, under all of its keys.
    struct Node: Sendable {
        let registration: Registration
        /// How many steps up the registration's container is.
        let level: Int
        var keys: [ServiceKey] = []

        /// The request that finds it.
        var request: ResolutionError.Request { ResolutionError.Request(registration.key) }

        /// The types that the registration's name consists of.
        var types: [Any.Type] { [registration.serviceType] + registration.key.argumentTypes }

        func named(by name: TypeNames) -> String { registration.key.text(name) }

        var step: ResolutionError.Step { ResolutionError.Step(registration, request) }

        var isShared: Bool { !kind.isUnshared }
        /// True if its instances belong to an open scope.
        var isOpened: Bool { kind == .opened }

        /// What the registration's own scope does, whatever a validation does instead.
        var kind: ScopeKind { registration.kind }
        /// True if its types tell all of its needs.
        var isKnown: Bool { registration.dependencies != nil || isInstance }
        var isInstance: Bool { registration.traits.contains(.isInstance) }
        /// True for a default, which yields to every other registration of its keys.
        var isDefault: Bool { registration.traits.contains(.isDefault) }
        var isMainActor: Bool { registration.traits.contains(.isMainActor) }
        /// True if a request in a container must await its factory or its decorators.
        func isAsync(in asked: Engine) -> Bool {
            registration.traits.contains(.isAsync) || asked.find(registration.key)?.isAsync == true
        }
    }
}

extension Registration {
    /// True if warming up makes an instance, and the scope keeps it.
    var isReadyEarly: Bool { traits.contains(.isEager) && kind.keeps }
}
