/// The runtime arguments of one request, whatever their number and types.
@usableFromInline
class Arguments: @unchecked Sendable {  // The list never changes; what is in it is the user's duty.
    var values: [Any] { [] }
    var types: [Any.Type] { [] }
    var tupleType: Any.Type? { nil }

    /// Copies arguments of this class's types from where they lie.
    class func copy(from place: UnsafeRawPointer) -> Arguments {
        preconditionFailure("arguments without types")
    }

    /// Lends the tuple `(resolver, …)` of a resolver and these arguments.
    func withTuple<Result>(
        _ resolver: any Resolver,
        _ body: (UnsafeRawPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafePointer(to: resolver) { try body($0) }
    }

    @usableFromInline
    init() {}

    /// True where a graph may give one's instance to the other: each argument is equal.
    ///
    /// `Hashable` values compare by value, other objects by identity, everything else never.
    final func isEqual(to other: Arguments) -> Bool {
        if self === other { return true }
        let (mine, theirs) = (values, other.values)
        return mine.count == theirs.count && zip(mine, theirs).allSatisfy(Self.isEqual)
    }

    /// As above, where a request without arguments, or with invisible ones, has none.
    static func isEqual(_ one: Arguments?, _ other: Arguments?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.isEqual(to: other)
        default: false
        }
    }

    private static func isEqual(_ one: Any, _ other: Any) -> Bool {
        if let one = one as? AnyHashable, let other = other as? AnyHashable {
            return one == other
        }
        guard let one = heapObject(in: one), let other = heapObject(in: other) else { return false }
        return one === other
    }
}

/// Arguments with their static types.
///
/// A pack keeps the type of an existential argument, where a plain generic parameter would open it
/// (SE-0352) and so miss the key.
@usableFromInline
final class ArgumentPack<each Argument>: Arguments, @unchecked Sendable {
    @usableFromInline let pack: (repeat each Argument)

    @inlinable
    init(_ pack: repeat each Argument) {
        self.pack = (repeat each pack)
        super.init()
    }

    override var values: [Any] {
        var values: [Any] = []
        repeat values.append(each pack)
        return values
    }

    override var types: [Any.Type] {
        Self.types
    }

    override class func copy(from place: UnsafeRawPointer) -> Arguments {
        let pack = place.assumingMemoryBound(to: (repeat each Argument).self).pointee
        return ArgumentPack(repeat each pack)
    }

    /// True for a request without arguments.
    @inlinable
    @inline(__always)
    static var isEmpty: Bool {
        // Not a loop over the pack: optimised for an empty one, it is taken for one that runs (6.3.1).
        (any Resolver, repeat each Argument).self == (any Resolver).self
    }

    override var tupleType: Any.Type? {
        Self.isEmpty ? nil : (any Resolver, repeat each Argument).self
    }

    override func withTuple<Result>(
        _ resolver: any Resolver,
        _ body: (UnsafeRawPointer) throws -> Result
    ) rethrows -> Result {
        let tuple = (resolver, repeat each pack)
        return try withUnsafePointer(to: tuple) { try body($0) }
    }

    static var types: [Any.Type] {
        var types: [Any.Type] = []
        repeat types.append((each Argument).self)
        return types
    }
}

/// The object that a value is, directly or wrapped in optionals; nil for values of other kinds.
///
/// A cast to `AnyObject` would do, but puts a value into a fresh box that nobody else holds.
func heapObject(in value: Any?) -> AnyObject? {
    guard let value else { return nil }
    if type(of: value) is AnyObject.Type {
        return value as AnyObject
    }
    return (value as? any OptionalValue)?.wrappedAny.flatMap { heapObject(in: $0) }
}
