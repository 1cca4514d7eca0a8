import Synchronization

/// Numbers that nothing else in the process has or had: what is named by one may be gone, where an
/// address would come back with the next object.
enum Serial {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
