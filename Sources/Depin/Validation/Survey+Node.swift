extension Survey {
    /// A registration, under all of its keys.
    struct Node: Sendable {
        let entry: AnyServiceEntry
        let core: Core
        /// How many steps up the container is that holds it.
        let level: Int
        var keys: [ServiceKey]

        /// What finds it.
        var request: ResolutionError.Request { ResolutionError.Request(entry.key) }

        /// The types that its name consists of.
        var types: [Any.Type] { [entry.serviceType] + entry.key.argumentTypes }

        func named(by name: TypeNames) -> String {
            ResolutionError.Wording.text(of: request, name.callAsFunction)
        }

        var step: ResolutionError.Step {
            ResolutionError.Step(request: request, registeredAt: entry.place, isCompleting: false)
        }

        /// Which arguments serve which parameters of its initializer, if it has any.
        var argumentFit: ArgumentFit? {
            let arguments = entry.key.argumentTypes
            guard let parameters = entry.dependencies, !arguments.isEmpty else { return nil }
            return ArgumentFit(of: arguments, to: parameters)
        }

        /// The types under which it is found besides its own.
        var forwards: [ServiceKey] { keys.filter { $0 != entry.key } }

        var isShared: Bool { !kind.isUnshared }
        /// True for what belongs to an opened scope.
        var isOpened: Bool { kind == .opened }

        /// The container that keeps what is shared, of one and its parents; nil for what is not, and where the scope
        /// is not open.
        func home(in core: Core) -> Core? {
            isOpened ? core.openScope(of: entry) : isShared ? self.core : nil
        }

        /// What the entry's own scope does, whatever a validation does instead.
        var kind: ScopeKind { ScopeKind(of: entry.objectScope) }
        var isInstance: Bool { entry.currentTraits.contains(.pinned) }
        /// True where it yields to every other registration of its keys.
        var isDefault: Bool { entry.currentTraits.contains(.isDefault) }
        var isMainActor: Bool { entry.currentTraits.contains(.isMainActor) }
        var isAsync: Bool { entry.currentTraits.contains(.isAsync) }
        /// True where synchronous code can have it only if somebody has awaited it before.
        var needsAwait: Bool { entry.isAwaitedFirst }
    }
}
