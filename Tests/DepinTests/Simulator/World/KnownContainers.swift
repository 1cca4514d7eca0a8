import Depin

/// All containers that the program has made, held weakly, with their places.
final class KnownContainers: Sendable {
    private struct Known: @unchecked Sendable {  // The runtime guards weak references.
        weak var container: Container?
        var text: String
        let isFork: Bool
        let isPlace: Bool
    }

    // Who looks at a container may be the last to hold it, which must not go under the lock.
    private let all = Cell<[Known]>([])

    var alive: Int { all.value.count { $0.container != nil } }

    /// What a validation makes is no place.
    func add(_ container: Container, isFork: Bool = false, isPlace: Bool = true) {
        all.change { all in
            let number = all.count { $0.isPlace }
            let text = isPlace ? "place \(number)" : Self.unknown
            all.append(Known(container: container, text: text, isFork: isFork, isPlace: isPlace))
        }
    }

    /// The place that a container is; a fork's parents are none.
    func text(of container: Container) -> String {
        find(container)?.text ?? Self.unknown
    }

    static let unknown = "a place of its own"

    /// Whether it is a fork, or inside one.
    func isFork(_ container: Container) -> Bool { find(container)?.isFork ?? true }

    /// Whether what was made in a place closes with the app.
    func closes(_ place: String) -> Bool {
        all.change { all in all.contains { $0.text == place && !$0.isFork } }
    }

    /// A container that is no place any more.
    func rename(_ container: Container) {
        let known = all.value
        let indices = known.indices.filter { known[$0].container === container }
        all.change { all in for index in indices { all[index].text = Self.unknown } }
    }

    /// Whether a place may be inside another one, and so closes before it: it was made later.
    func isInside(_ place: String, _ other: String) -> Bool {
        guard number(of: place) != nil, number(of: other) != nil else { return place != other }
        return isWithin(place, other)
    }

    /// The same of what are places.
    func isWithin(_ place: String, _ other: String) -> Bool {
        guard let inner = number(of: place), let outer = number(of: other) else { return false }
        return inner > outer
    }

    private func number(of place: String) -> Int? {
        place.split(separator: " ").last.flatMap { Int($0) }
    }

    private func find(_ container: Container) -> Known? {
        all.value.last { $0.container === container }
    }
}
