/// A value on the heap, whatever its type, so that many may hold it by one reference.
///
/// Unchecked, because the value never changes; what is in it, and who shares it, is the user's duty.
class AnyBox: @unchecked Sendable {
    var anyValue: Any { preconditionFailure("a box without a value") }

    /// Copies the value to where the caller takes it.
    func copy(to places: Places) -> _Place { preconditionFailure("a box without a value") }
}

/// A value on the heap.
///
/// PERF: not final, so that one can be made of a type that is kept: looking its metadata up takes 450
/// instructions, which each instance of a graph would pay (row 4g).
class Box<Value>: AnyBox, @unchecked Sendable {
    final let value: Value

    required init(_ value: consuming Value) {
        self.value = value
    }

    override final var anyValue: Any { value }

    override final func copy(to places: Places) -> _Place { places.put(copyOf: value) }
}
