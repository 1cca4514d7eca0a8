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

    /// How many steps up the container is that keeps an instance; nil if none does, or if its scope is not open.
    func home(of node: Node) -> Int? {
        guard node.isOpened else { return node.isShared ? node.level : nil }
        let scope = engine.nearestOpenScope(of: node.registration)
        return chain.firstIndex { $0 === scope }
    }

    /// True for a default that no request can reach, because another registration of its container, or of a parent,
    /// answers for each of its keys.
    func yields(_ node: Node) -> Bool {
        let holder = chain[node.level]
        return node.isDefault
            && node.keys.allSatisfy { holder.find($0)?.registration !== node.registration }
    }

    /// True for a service that cannot be built because its scope is not open.
    func isUnopened(_ node: Node) -> Bool { node.isOpened && home(of: node) == nil }
}

extension Registration {
    /// True if warming up makes an instance, and the scope keeps it.
    var isReadyEarly: Bool { traits.contains(.isEager) && kind.keeps }
}
