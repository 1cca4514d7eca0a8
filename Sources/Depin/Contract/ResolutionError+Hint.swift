extension ResolutionError {
    /// A likely fix for a missing registration.
    public enum Hint: Sendable {
        /// The container and its parents hold no registration at all.
        case nothingRegistered
        /// A `Lazy` or `Provider` was asked for, and the service in it is what is missing.
        case needed(Any.Type)
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
        /// A container below this one, or below one of its parents, has the registration.
        case inChild(Candidate)
        /// Another assembler or container of the space, of the named key, has the registration.
        case inSpace(Candidate, key: String)
        /// A type is registered whose name is spelled nearly the same.
        case similar(Candidate)
    }

    /// A registration that may be what was meant.
    public struct Candidate: Sendable {
        /// What finds it.
        public let request: Request
        /// Where it was registered.
        public let registeredAt: CodePlace
    }
}

extension ResolutionError.Hint {
    var candidate: ResolutionError.Candidate? {
        switch self {
        case .nothingRegistered, .needed, .moreNames:
            nil
        case .linkedTwice(let candidate), .otherName(let candidate),
            .otherArguments(let candidate), .optional(let candidate),
            .conforming(let candidate), .generalized(let candidate), .inChild(let candidate),
            .inSpace(let candidate, _), .similar(let candidate):
            candidate
        }
    }
}

extension ResolutionError {
    /// The same error, with the place of the `require` through which it passes.
    ///
    /// The depth says how many factories are under way there, so the next one of the path, if there
    /// is one, is what was required.
    func required(at place: CodePlace, depth: Int) -> ResolutionError {
        var error = self
        if depth < path.count {
            if path[depth].request.requiredAt == nil {
                error.path[depth].request.requiredAt = place
            }
        } else if request.requiredAt == nil {
            error.request.requiredAt = place
        }
        return error
    }

    /// The same error with further steps before its own.
    func preceded(by steps: [Step]) -> ResolutionError {
        var error = self
        error.path = steps + path
        return error
    }
}
