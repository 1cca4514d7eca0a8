/// What the runtime says of a type, which it is asked once.
///
/// A message about a miss compares what was asked for with all that is registered, and a
/// validation may find a thousand misses among as many registrations: that took half a minute. A
/// type's metadata lives forever, so what is kept beside it is no leak.
package final class TypeFacts: Sendable {
    package let type: Any.Type
    /// The name by which a person knows it.
    let readableName: String
    /// What that begins with: the name of a generic type without its arguments.
    let word: String
    /// What tells its declaration from all others of the program.
    let mangledName: String?
    /// What it wraps, if it is an optional.
    let wrappedType: Any.Type?
    /// The type of all types that conform, `any API.Type`, if it is a protocol's.
    ///
    /// `LiveAPI.self is (any API).Type` is false, since that is the type of `(any API).self` alone. What
    /// would be true, `is any API.Type`, cannot be written of a type that only the runtime knows, but
    /// the runtime makes it of its name. It cannot of a private protocol's.
    private let existentialMetatype: Any.Type?

    private init(_ type: Any.Type) {
        self.type = type
        readableName = TypeText.readable(String(describing: type))
        word = String(readableName.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        mangledName = _mangledTypeName(type)
        wrappedType = (type as? any OptionalValue.Type)?.wrappedType
        existentialMetatype = mangledName.flatMap { _typeByName($0 + "Xp") }
    }

    /// True when every instance is an instance of the other type, as far as the types alone tell.
    package func isKnown(toBe other: TypeFacts) -> Bool {
        func isSubclass<Class>(_: Class.Type) -> Bool { type is Class.Type }
        if _openExistential(other.type, do: isSubclass) { return true }
        guard let existential = other.existentialMetatype else { return false }
        // A protocol's own type conforms to nothing, which the runtime finds out by looking
        // through all conformances of the program: for 30 µs, and once for every pair of types.
        if existentialMetatype != nil { return false }
        func isMember<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(existential, do: isMember)
    }

    /// True for a protocol's type, a composition's, `Any` and `AnyObject`.
    var isExistential: Bool {
        guard let mangledName else { return false }
        // Protocols; with a superclass, `AnyObject`, or associated types that are given.
        return ["_p", "Xc", "Xl", "XP"].contains { mangledName.hasSuffix($0) }
    }

    /// True for a type that everything is.
    var isAnything: Bool {
        type == Any.self || type == AnyObject.self || type == (any Sendable).self
    }

    /// True for a protocol's type of which the runtime does not tell who conforms.
    var isOpaque: Bool { isExistential && existentialMetatype == nil }

    /// True when two metatypes stand for one declaration: its module has been linked twice.
    func isLinkedTwice(_ other: TypeFacts) -> Bool {
        guard type != other.type, let mangledName, mangledName == other.mangledName else {
            return false
        }
        // A private type's name is made of an address, which says nothing about another's.
        return !mangledName.contains("$")
    }

    // MARK: - The types that were asked about

    @inline(never)
    package static func of(_ type: Any.Type) -> TypeFacts {
        known.withLock { known in
            let identity = ObjectIdentifier(type)
            if let facts = known[identity] { return facts }
            let facts = TypeFacts(type)
            known[identity] = facts
            return facts
        }
    }

    private static let known = Guarded(RareTable<ObjectIdentifier, TypeFacts>())
}
