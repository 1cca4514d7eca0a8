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
