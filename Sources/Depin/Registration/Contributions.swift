/// The contributions to a type in one container, by their keys and in their order.
///
/// It never changes, so it may leave the lock that it is kept under.
final class Contributions: Sendable {
    struct Contribution: Sendable {
        let key: ServiceKey
        let order: Int

        /// True where this one comes first in the collections of its container.
        fileprivate func precedes(_ other: Contribution) -> Bool {
            order != other.order ? order < other.order : key.wasContributed(before: other.key)
        }
    }

    let all: [Contribution]
    let ready = ReadyArray()

    init(_ all: [Contribution] = []) {
        self.all = all
    }

    /// The same with one more, unless it is there: what stands in for a contribution has its place.
    func with(_ key: ServiceKey, order: Int) -> Contributions {
        guard self.order(of: key) == nil else { return self }
        let added = Contribution(key: key, order: order)
        let index = all.firstIndex { added.precedes($0) } ?? all.endIndex
        return Contributions(all[..<index] + [added] + all[index...])
    }

    /// The same without some; nil where none is left.
    func without(_ isRemoved: (ServiceKey) -> Bool) -> Contributions? {
        let rest = all.filter { !isRemoved($0.key) }
        return rest.isEmpty ? nil : Contributions(rest)
    }

    /// The order of a contribution, if this is one.
    func order(of key: ServiceKey) -> Int? {
        all.first { $0.key == key }?.order
    }
}

/// The array of the instances of contributions, where all of them are ready.
///
/// PERF: a request that looks each of ten up takes 12,300 instructions, one that finds this 2,200 (row
/// "collection").
final class ReadyArray: Sendable {
    private struct State {
        var array: AnyBox?
        var changeCount = 0
    }

    private let state = Guarded(State())

    /// The array, if it is known, and how often an instance has been forgotten so far.
    var known: (array: AnyBox?, changeCount: Int) {
        state.withLock { ($0.array, $0.changeCount) }
    }

    /// Keeps an array, unless one of its instances has been forgotten since.
    func keep(_ array: AnyBox, since changeCount: Int) {
        let dropped = state.withLock { state -> AnyBox? in
            guard state.changeCount == changeCount else { return nil }
            defer { state.array = array }
            return state.array
        }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets the array, since one of its instances is no longer ready.
    func forget() {
        let dropped = state.withLock { state in
            defer { state = State(changeCount: state.changeCount + 1) }
            return state.array
        }
        withExtendedLifetime(dropped) {}
    }
}
