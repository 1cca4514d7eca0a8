/// A value on the heap, whatever its type, so that many may hold it by one reference.
///
/// Unchecked, because the value never changes; what is in it, and who shares it, is the user's duty.
class AnyBox: @unchecked Sendable {
    var anyValue: Any { preconditionFailure("a box without a value") }

    /// Copies the value to where the caller takes it.
    func copy(to places: Places) -> _Place { preconditionFailure("a box without a value") }
}

/// A value on the heap.
final class Box<Value>: AnyBox, @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    override var anyValue: Any { value }

    override func copy(to places: Places) -> _Place { places.put(value) }
}
