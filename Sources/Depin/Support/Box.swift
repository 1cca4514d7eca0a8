/// A value on the heap, so that many may hold it by one reference.
///
/// Unchecked, because the value never changes; what is in it, and who shares it, is the user's duty.
@usableFromInline
final class Box<Value>: @unchecked Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}

/// What every box can say of itself without its type being known.
protocol AnyBox: AnyObject {
    var anyValue: Any { get }
}

extension Box: AnyBox {
    var anyValue: Any { value }
}
