import Synchronization

/// Numbers that no two objects of a process share, for those that are named after they may be gone.
enum Serial {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
