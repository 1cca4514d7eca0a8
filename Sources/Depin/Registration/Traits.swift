extension Registration {
    /// What a resolution must know of a registration at first, in one word.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The bits that hold the ``ScopeKind``.
        private static let kindMask: UInt16 = 7
        package static let hasCallbacks = Traits(rawValue: 1 << 3)
        package static let isMainActor = Traits(rawValue: 1 << 4)
        /// Registered as an instance: no reset drops it, and a fork shares it.
        package static let isInstance = Traits(rawValue: 1 << 5)
        package static let hasClosers = Traits(rawValue: 1 << 6)
        /// Only a task can make it.
        package static let isAsync = Traits(rawValue: 1 << 7)
        /// Made when the app warms up.
        package static let isEager = Traits(rawValue: 1 << 8)
        /// It yields to every other registration of its key.
        package static let isDefault = Traits(rawValue: 1 << 9)
        /// Its scope keeps an instance for each value of its arguments.
        package static let perArguments = Traits(rawValue: 1 << 10)
        /// Its factory gets no resolver.
        static let asksNothing = Traits(rawValue: 1 << 11)
        /// It is meant to replace others.
        package static let overrides = Traits(rawValue: 1 << 12)

        /// The traits that a scope sets.
        static let ofScope = Traits(rawValue: kindMask | perArguments.rawValue)

        /// The traits whose instances take more than a call of the factory.
        static let needMoreThanFactory: Traits = [
            .hasCallbacks, .hasClosers, .isMainActor, .isAsync,
        ]

        var kind: ScopeKind {
            ScopeKind(rawValue: UInt8(rawValue & Self.kindMask)) ?? .stored
        }

        /// True if the container holds the instance: its scope shares it, or it is to be closed.
        var isHeld: Bool { !kind.isUnshared || contains(.hasClosers) }

        /// The traits that a scope gives a registration; stops the program if they do not fit.
        static func of(
            _ scope: any ObjectScopeProtocol,
            for key: ServiceKey,
            at place: CodePlace
        ) -> Traits {
            let scope = scope as? ObjectScope
            let traits = Traits(rawValue: UInt16((scope?.kind ?? .stored).rawValue))
            if key.isForAnyName { return traits.union(.perArguments) }
            guard key.arguments != nil, scope?.isPerArguments == true else { return traits }
            key.checkArguments(at: place)
            return traits.union(.perArguments)
        }
    }
}
