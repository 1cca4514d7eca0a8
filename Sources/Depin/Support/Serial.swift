import Synchronization

/// A number that nothing else in the process has or had, for what is named after it may be gone.
///
/// It is taken when it is first asked for.
struct Serial: ~Copyable {
    private static let last = Atomic<UInt>(0)

    private let taken = Atomic<UInt>(0)

    var number: UInt {
        let known = taken.load(ordering: .relaxed)
        return known == 0 ? take() : known
    }

    private func take() -> UInt {
        let mine = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
        let (isMine, known) = taken.compareExchange(
            expected: 0,
            desired: mine,
            ordering: .relaxed
        )
        return isMine ? mine : known
    }
}
