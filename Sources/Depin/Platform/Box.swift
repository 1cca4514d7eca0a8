/// A value of any type on the heap, so that many may hold it by one reference.
///
/// Unchecked, because the value never changes; the user is responsible for what is in it.
@usableFromInline
package class AnyBox: @unchecked Sendable {
    package var anyValue: Any { preconditionFailure("a box without a value") }

    /// A box that holds the value's object weakly; nil if the value is no object.
    func weakened() -> AnyBox? { nil }

    /// A box with the value, if this one holds it weakly and it still lives; otherwise this box.
    func strengthened() -> AnyBox? { self }
}

/// A value on the heap.
///
/// Not final, so that a stored metatype can make boxes: looking the type up takes 450 instructions.
@usableFromInline
class Box<Value>: AnyBox, @unchecked Sendable {  // as its superclass
    @usableFromInline final let value: Value

    @usableFromInline
    required init(_ value: consuming Value) {
        self.value = value
    }

    override final var anyValue: Any { value }

    override final func weakened() -> AnyBox? {
        heapObject(in: value).map { WeakBox(value, $0, strong: type(of: self)) }
    }
}

/// A value in a box of a type; nil for a value that cannot be cast to it.
func boxed(_ value: Any, as type: Any.Type) -> AnyBox? {
    func box<Value>(_: Value.Type) -> AnyBox? { (value as? Value).map(Box.init) }
    return _openExistential(type, do: box)
}

/// A weakly held object, and the value that it was.
private final class WeakBox<Value>: AnyBox, @unchecked Sendable {  // the bits never change
    private let object: WeakObject
    /// The bits of the value, good while its object lives; nil if a cast must make the value again.
    ///
    /// PERF: a cast looks a conformance up (row 1-weak: 3,300 instructions instead of 2,400).
    private let bits: UnsafeMutablePointer<Value>?
    private let strong: Box<Value>.Type

    init(_ value: Value, _ object: AnyObject, strong: Box<Value>.Type) {
        self.object = WeakObject(object)
        self.strong = strong
        // An optional may hold an object, too, but is none.
        guard type(of: value as Any) is AnyObject.Type else {
            bits = nil
            return
        }
        let bits = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        withUnsafeBytes(of: value) { value in
            guard let start = value.baseAddress else { return }
            UnsafeMutableRawPointer(bits).copyMemory(from: start, byteCount: value.count)
        }
        self.bits = bits
    }

    deinit {
        bits?.deallocate()
    }

    override var anyValue: Any { strengthened()?.anyValue ?? Optional<Value>.none as Any }

    override func strengthened() -> AnyBox? {
        guard let object = object.object else { return nil }
        guard let bits else { return cast(object) }
        defer { withExtendedLifetime(object) {} }
        return strong.init(bits.pointee)
    }

    // Apart, because the runtime looks up types made of the service's (row 1-weak).
    private func cast(_ object: AnyObject) -> AnyBox? {
        (object as? Value).map { strong.init($0) }
    }

    override func weakened() -> AnyBox? { self }
}

/// A weak reference to an object.
package final class WeakObject: Sendable {
    // It never changes, and the runtime guards reading it against the object's end. Private, because otherwise each
    // read is checked against changes (row 1-weak: 3 %).
    private nonisolated(unsafe) weak var weakly: AnyObject?

    package init(_ object: AnyObject) {
        weakly = object
    }

    package var object: AnyObject? { weakly }

    static func to(_ value: Any?) -> WeakObject? {
        heapObject(in: value).map { WeakObject($0) }
    }
}

/// The object that a value is, directly or wrapped in optionals; nil for other values.
///
/// A cast to `AnyObject` would put a value into a fresh box that nothing else holds.
func heapObject(in value: Any?) -> AnyObject? {
    guard let value else { return nil }
    if type(of: value) is AnyObject.Type {
        return value as AnyObject
    }
    return (value as? any OptionalValue)?.wrappedAny.flatMap { heapObject(in: $0) }
}

/// What an optional can tell about itself, without its type being known.
package protocol OptionalValue {
    static var wrappedType: Any.Type { get }

    var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
    package static var wrappedType: Any.Type { Wrapped.self }

    package var wrappedAny: Any? { self }
}
