import Synchronization

/// Numbers that are unique in the process for good, unlike addresses, which come back with the next object.
enum Serial {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
