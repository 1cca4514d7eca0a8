extension ResolutionError {
    /// The likely fixes for a missing registration, the best first.
    ///
    /// They are put in order when somebody reads the message: most errors of a `try?` are never read. What they
    /// are looked for in was noted when the error was made.
    package final class Hints: Sendable {
        private enum State {
            case unknown(@Sendable () -> [Hint])
            case known([Hint])
        }

        private let state: Guarded<State>

        init(_ find: @escaping @Sendable () -> [Hint]) {
            state = Guarded(.unknown(find))
        }

        init(_ hints: [Hint]) {
            state = Guarded(.known(hints))
        }

        var all: [Hint] {
            let now = state.withLock { $0 }
            switch now {
            case .known(let hints):
                return hints
            case .unknown(let find):
                let hints = find()
                let dropped = state.withLock { state in
                    defer { state = .known(hints) }
                    return state
                }
                return withExtendedLifetime(dropped) { hints }
            }
        }
    }

    /// A likely fix for a missing registration.
    package enum Hint: Sendable {
        /// The container and its parents hold no registration at all.
        case nothingRegistered
        /// A `Lazy`, `Provider` or the like was asked for, and the service in it is what is missing.
        case needed(Request)
        /// A type of the very same declaration is registered: its module has been linked twice.
        case linkedTwice(Candidate)
        /// The type is registered under another name, or without one.
        case otherName(Candidate)
        /// The type is registered under so many more names that they are only listed; nil stands for
        /// no name.
        case moreNames([String?])
        /// The type is registered with other arguments, or with the same in another order.
        case otherArguments(Candidate)
        /// The optional of the type is registered.
        case optional(Candidate)
        /// A type is registered whose instances conform to the one that was asked for.
        case conforming(Candidate)
        /// A type is registered to which the one that was asked for conforms.
        case generalized(Candidate)
        /// The type is contributed to, and has no registration of its own.
        case contributed(to: Any.Type, at: CodePlace)
        /// A container below this one, or below one of its parents, has the registration.
        case inChild(Candidate)
        /// The service may be a seed of a scope, which was opened at a place; nil where a validation opens it, or does
        /// not.
        case seed(of: String, at: CodePlace?)
        /// Another assembler or container of the space, of the named key, has the registration.
        case inSpace(Candidate, key: String)
        /// A type is registered whose name is spelled nearly the same.
        case similar(Candidate)
    }

    /// A registration that may be what was meant.
    package struct Candidate: Sendable {
        let key: ServiceKey
        /// Where it was registered.
        let registeredAt: CodePlace

        /// What finds it.
        var request: Request { Request(key) }
    }
}

extension ResolutionError.Hint {
    var candidate: ResolutionError.Candidate? {
        switch self {
        case .nothingRegistered, .needed, .moreNames, .contributed, .seed:
            nil
        case .linkedTwice(let candidate), .otherName(let candidate),
            .otherArguments(let candidate), .optional(let candidate),
            .conforming(let candidate), .generalized(let candidate), .inChild(let candidate),
            .inSpace(let candidate, _), .similar(let candidate):
            candidate
        }
    }
}
