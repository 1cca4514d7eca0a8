extension ResolutionError {
    /// The likely fixes for a missing registration, the best first.
    ///
    /// What they are chosen from is noted with the error; they are ordered when the message is read, since most errors
    /// of a `try?` never are.
    package final class Hints: Sendable {
        private let find: Guarded<@Sendable () -> [Hint]>

        init(_ find: @escaping @Sendable () -> [Hint]) {
            self.find = Guarded(find)
        }

        var all: [Hint] {
            let hints = find.withLock { $0 }()
            // From now on they stay the same, and hold nothing that they were chosen from.
            return withExtendedLifetime(find.exchange { hints }) { hints }
        }
    }

    /// A likely fix for a missing registration.
    enum Hint: Sendable {
        /// The container and its parents hold no registration at all.
        case nothingRegistered
        /// The service in the requested `Lazy`, `Provider` or the like is missing.
        case needed(ServiceKey)
        /// The request may have meant this registration.
        case registered(Registered, Relation)
        /// So many more registrations have the type.
        case more(Int)
        /// The service may be a seed of a scope, opened at this place; nil in a validation.
        case seed(of: String, at: CodePlace?)
    }

    /// Why the request may have meant a registration.
    enum Relation: Sendable {
        /// A type of the very same declaration is registered: its module has been linked twice.
        case linkedTwice
        /// The type is registered under another name, or without one, or with other arguments.
        case otherKey
        /// The type is contributed to, and has no registration of its own.
        case contributed
        /// The optional of the type is registered.
        case optional
        /// A registered type conforms to the requested one.
        case conforming
        /// A container below this one, or below one of its parents, has the registration.
        case inChild
        /// Another assembler or container of the space, of the named key, has the registration.
        case inSpace(key: String)
        /// A registered type has a similar name.
        case similar
    }

    /// A registration that a message names, without anything that would keep its container open.
    // A class, because lists of it are filtered and ordered, and each copy of a structure is code.
    package final class Registered: Sendable {
        /// The key of the registration.
        let key: ServiceKey
        /// Where it was registered.
        package let place: CodePlace
        /// The scope of the registration, if the message is about scopes.
        package let scope: String

        init(_ key: ServiceKey, at place: CodePlace, in scope: String = "") {
            (self.key, self.place, self.scope) = (key, place, scope)
        }

        var facts: TypeFacts { .of(key.serviceType) }
    }
}
