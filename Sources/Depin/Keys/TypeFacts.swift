/// What the runtime knows about a type, asked once.
///
/// A message about a miss compares the requested type with all registered ones, and a validation may find a thousand
/// misses among as many registrations, which took half a minute. Type metadata lives forever, so keeping facts beside
/// it is no leak.
final class TypeFacts: Sendable {
    let type: Any.Type
    /// The name by which people know the type.
    let readableName: String
    /// The beginning of that name: for a generic type, the name without arguments.
    let word: String
    /// The name that identifies the declaration in the whole program.
    let mangledName: String?
    /// The wrapped type, if the type is an optional.
    let wrappedType: Any.Type?
    /// For a protocol, the type of all conforming types, `any API.Type`.
    ///
    /// `LiveAPI.self is (any API).Type` is false, since only `(any API).self` is of that type. `is any API.Type` would
    /// be true, but cannot be written for a type that only the runtime knows. The runtime makes it from its name,
    /// except for a private protocol.
    private let existentialMetatype: Any.Type?

    private init(_ type: Any.Type) {
        self.type = type
        readableName = TypeText.readable(String(describing: type))
        word = String(readableName.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        mangledName = _mangledTypeName(type)
        wrappedType = (type as? any OptionalValue.Type)?.wrappedType
        existentialMetatype = mangledName.flatMap { _typeByName($0 + "Xp") }
    }

    /// True if every instance is an instance of the other type, as far as the types alone tell.
    func isKnown(toBe other: TypeFacts) -> Bool {
        func isSubclass<Class>(_: Class.Type) -> Bool { type is Class.Type }
        if _openExistential(other.type, do: isSubclass) { return true }
        guard let existential = other.existentialMetatype else { return false }
        // A protocol's own type conforms to nothing. The runtime would look through all conformances of the program to
        // find that out, which takes 30 µs for every pair of types.
        if existentialMetatype != nil { return false }
        func isMember<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(existential, do: isMember)
    }

    /// True for a protocol's type, a composition's, `Any` and `AnyObject`.
    var isExistential: Bool {
        // Protocols; with a superclass, `AnyObject`, or associated types that are given.
        ["_p", "Xc", "Xl", "XP"].contains { mangledName?.hasSuffix($0) == true }
    }

    /// True for a type that every value has.
    var isAnything: Bool {
        type == Any.self || type == AnyObject.self || type == (any Sendable).self
    }

    /// True for a protocol's type whose conformances the runtime does not tell.
    var isOpaque: Bool { isExistential && existentialMetatype == nil }

    /// True if two types have the same declaration, because their module has been linked twice.
    func isLinkedTwice(_ other: TypeFacts) -> Bool {
        // A private type's name contains an address, which says nothing about another type's.
        type != other.type && mangledName == other.mangledName
            && mangledName?.contains("$") == false
    }

    // MARK: - The types that were asked about

    @inline(never)
    static func of(_ type: Any.Type) -> TypeFacts {
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

extension ServiceKey {
    /// True if services of the key's type are known to be of another key's type, too.
    package func isKnown(toBe other: ServiceKey) -> Bool {
        TypeFacts.of(serviceType).isKnown(toBe: .of(other.serviceType))
    }

    /// Whether services of the key's type can be cast to another key's type; nil if only the service tells.
    package func fits(_ other: ServiceKey) -> Bool? {
        TypeFacts.of(serviceType).fits(.of(other.serviceType))
    }
}

extension TypeFacts {
    /// Whether a value of this type can be cast to another one; nil if only the value tells.
    ///
    /// For a class, its own conformances count, not those of subclasses.
    func fits(_ other: TypeFacts) -> Bool? {
        if let wrappedType {
            let fits = TypeFacts.of(wrappedType).fits(other)
            return fits == true && other.wrappedType == nil && other.type != Any.self ? nil : fits
        }
        if let wrapped = other.wrappedType { return fits(TypeFacts.of(wrapped)) }
        if type == other.type || isKnown(toBe: other) { return true }
        // Two protocols, or a protocol whose conformances the runtime does not find; collections are cast element by
        // element.
        let isOpen =
            other.isKnown(toBe: self) || isExistential && other.isExistential
            || isOpaque || other.isOpaque || isCollection && other.isCollection
            || type == AnyHashable.self || other.type == AnyHashable.self
        return isOpen ? nil : false
    }

    private var isCollection: Bool { type is any Collection.Type }
}
