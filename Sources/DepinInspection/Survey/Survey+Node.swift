import Depin

extension Survey {
    /// A registration, under all of its keys.
    struct Node: Sendable {
        let registration: Registration
        let engine: Engine
        /// How many steps up the container is that holds it.
        let level: Int
        var keys: [ServiceKey] = []

        /// What finds it.
        var request: ResolutionError.Request { ResolutionError.Request(registration.key) }

        /// The types that its name consists of.
        var types: [Any.Type] { [registration.serviceType] + registration.key.argumentTypes }

        func named(by name: TypeNames) -> String { registration.key.text(name) }

        var step: ResolutionError.Step { ResolutionError.Step(registration, request) }

        var isShared: Bool { !kind.isUnshared }
        /// True for what belongs to an opened scope.
        var isOpened: Bool { kind == .opened }

        /// What the entry's own scope does, whatever a validation does instead.
        var kind: ScopeKind { registration.kind }
        /// True where its types tell all that it needs.
        var isKnown: Bool { registration.dependencies != nil || isInstance }
        var isInstance: Bool { registration.traits.contains(.isInstance) }
        /// True where it yields to every other registration of its keys.
        var isDefault: Bool { registration.traits.contains(.isDefault) }
        var isMainActor: Bool { registration.traits.contains(.isMainActor) }
        /// True where who asks for it in a container awaits its factory or what decorates it.
        func isAsync(in asked: Engine) -> Bool {
            registration.traits.contains(.isAsync) || asked.find(registration.key)?.isAsync == true
        }
    }
}
