import Synchronization

/// Numbers that nothing else in the process has or had: what is named by one may be gone, where an
/// address would come back with the next object.
enum Serial {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

extension Dictionary where Key == UInt {
    /// The values in the order of their numbers: that of a dictionary is another one in each process.
    var inOrder: [Value] {
        count < 2 ? Array(values) : keys.ordered(by: <).compactMap { self[$0] }
    }
}
