extension ResolutionError {
    /// The likely fixes for a missing registration, the best first.
    ///
    /// They are put in order when somebody reads the message: most errors of a `try?` are never read. What they
    /// are looked for in was noted when the error was made.
    package final class Hints: Sendable {
        private let find: Guarded<@Sendable () -> [Hint]>

        init(_ find: @escaping @Sendable () -> [Hint]) {
            self.find = Guarded(find)
        }

        var all: [Hint] {
            let hints = find.withLock { $0 }()
            // They say the same for ever after, and keep nothing that they were looked for in.
            return withExtendedLifetime(find.exchange { hints }) { hints }
        }
    }

    /// A likely fix for a missing registration.
    package enum Hint: Sendable {
        /// The container and its parents hold no registration at all.
        case nothingRegistered
        /// A `Lazy`, `Provider` or the like was asked for, and the service in it is what is missing.
        case needed(ServiceKey)
        /// A registration may be what was meant.
        case registered(Registered, Relation)
        /// So many more registrations have the type.
        case more(Int)
        /// The service may be a seed of a scope, which was opened at a place; nil where a validation opens it, or does
        /// not.
        case seed(of: String, at: CodePlace?)
    }

    /// Why a registration may be what was meant.
    package enum Relation: Sendable {
        /// A type of the very same declaration is registered: its module has been linked twice.
        case linkedTwice
        /// The type is registered under another name, or without one, or with other arguments.
        case otherKey
        /// The type is contributed to, and has no registration of its own.
        case contributed
        /// The optional of the type is registered.
        case optional
        /// A type is registered whose instances conform to the one that was asked for.
        case conforming
        /// A container below this one, or below one of its parents, has the registration.
        case inChild
        /// Another assembler or container of the space, of the named key, has the registration.
        case inSpace(key: String)
        /// A type is registered whose name is close.
        case similar
    }

    /// A registration that a message names, without anything that would keep its container open.
    // A class, since lists of it are filtered and ordered, and errors have up to two: copies of structures are code.
    package final class Registered: Sendable {
        /// What finds it.
        let key: ServiceKey
        /// Where it was registered.
        package let place: CodePlace
        /// Its scope, where the message is about scopes.
        package let scope: String

        init(_ key: ServiceKey, at place: CodePlace, in scope: String = "") {
            (self.key, self.place, self.scope) = (key, place, scope)
        }

        var facts: TypeFacts { .of(key.serviceType) }
    }
}
