/// The runtime arguments of one request, whatever their number and types.
///
/// Compiled requests with arguments use it; an app does not need it.
public class _Arguments: @unchecked Sendable {
    // Unchecked, because nothing changes; the user is responsible for the arguments themselves.

    /// The arguments' static types.
    class var types: [Any.Type] { [] }
    /// The type of a tuple of a first element and the arguments.
    class func tuple<First>(after first: First.Type) -> Any.Type { First.self }
    var values: [Any] { [] }

    @usableFromInline
    init() {}
}

package typealias Arguments = _Arguments

/// Arguments with their static types.
///
/// A pack keeps the type of an existential argument, while a plain generic parameter would open it (SE-0352), and so
/// miss the key.
///
/// Its layout is fixed, so that the initializer can be inlined with library evolution, too.
@usableFromInline
@_fixed_layout
final class ArgumentPack<each Argument>: _Arguments, @unchecked Sendable {  // as its superclass
    @usableFromInline let pack: (repeat each Argument)

    @inlinable
    init(_ pack: repeat each Argument) {
        self.pack = (repeat each pack)
        super.init()
    }

    /// The arguments of a request whose key names this very class.
    @_alwaysEmitIntoClient
    @inline(__always)
    static func given(by arguments: _Arguments) -> (repeat each Argument) {
        unsafeDowncast(arguments, to: ArgumentPack.self).pack
    }

    override class var types: [Any.Type] {
        var types: [Any.Type] = []
        repeat types.append((each Argument).self)
        return types
    }

    override class func tuple<First>(after first: First.Type) -> Any.Type {
        (First, repeat each Argument).self
    }

    override var values: [Any] {
        var values: [Any] = []
        repeat values.append(each pack)
        return values
    }
}

extension _Arguments {
    /// The arguments, unless the pack is empty: such a request is one without arguments.
    @inline(__always)
    static func any(_ arguments: Arguments?) -> Arguments? {
        // Apart, because the two ways would retain nil (row 1: 5 %).
        arguments == nil ? nil : areNone(arguments) ? nil : arguments
    }

    private static func areNone(_ arguments: Arguments?) -> Bool {
        arguments.map { type(of: $0).ifAny == nil } ?? false
    }

    /// The class as keys name it; nil for that of the empty pack.
    static var ifAny: Arguments.Type? { self == type(of: none) ? nil : self }

    /// The empty pack.
    static let none: _Arguments = ArgumentPack()

    /// An object's identity, which equals no argument that happens to be an `ObjectIdentifier`.
    private struct Identity: Hashable {
        let id: ObjectIdentifier
    }

    /// What stands for an argument in comparisons: a `Hashable` value itself, or another object's identity; nil for
    /// anything else, which equals nothing.
    private static func comparable(_ value: Any) -> AnyHashable? {
        value as? AnyHashable ?? heapObject(in: value).map { Identity(id: ObjectIdentifier($0)) }
    }

    /// The hash of the arguments, if equal ones can be found again.
    ///
    /// It runs user code.
    var hash: Int? {
        var hasher = Hasher()
        for value in values {
            guard let comparable = Self.comparable(value) else { return nil }
            hasher.combine(comparable)
        }
        return hasher.finalize()
    }

    /// True if each argument is equal, so that one request may get the other's instance; a request may have none.
    ///
    /// It runs user code.
    // Not inlined into its callers: 7 KB.
    @inline(never)
    static func isEqual(_ one: Arguments?, _ other: Arguments?) -> Bool {
        if one === other { return true }
        guard let one, let other else { return false }
        return one.values.elementsEqual(other.values) { one, other in
            guard let one = comparable(one), let other = comparable(other) else { return false }
            return one == other
        }
    }

    /// False for arguments that do not equal themselves, such as NaN, so that no later ones can equal them.
    var equalsItself: Bool { values.map(Self.comparable).allSatisfy { $0 == $0 } }
}
