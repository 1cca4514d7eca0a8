import Depin

extension Row {
    /// How many allocations an operation of a row may make: the service's own, and what the container
    /// may add, which is a box for each instance of a graph.
    public static let allocationGoals: [(id: String, own: Int, further: Int)] = [
        ("1", 0, 0), ("1-view", 0, 0), ("1-closer", 0, 0), ("2", 0, 0), ("6l", 0, 0),
        ("6l-let", 0, 0), ("8", 0, 0),
        ("10", 0, 0), ("3", 1, 1), ("4", 10, 1), ("4g", 10, 15), ("5", 1, 2),
    ]
}

/// Row 12: what stays on the heap.
public enum Footprint {
    /// Registers a thousand services of a thousand types; what is returned holds them.
    public static func registerThousand() -> AnyObject {
        let container = Container()
        for site in Fixture.thousand { site.register(in: container) }
        return container
    }

    /// What the thousand registrations are not.
    public static func registerNothing() -> AnyObject { Container() }
}
