/// A value on the heap, whatever its type, so that many may hold it by one reference.
///
/// Unchecked, because the value never changes; what is in it, and who shares it, is the user's duty.
@usableFromInline
class AnyBox: @unchecked Sendable {
    var anyValue: Any { preconditionFailure("a box without a value") }
}

/// A value on the heap.
///
/// PERF: not final, so that one can be made of a type that is known: see ``ServiceEntry``.
@usableFromInline
class Box<Value>: AnyBox, @unchecked Sendable {
    @usableFromInline final let value: Value

    required init(_ value: consuming Value) {
        self.value = value
    }

    override final var anyValue: Any { value }
}
