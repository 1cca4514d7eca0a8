import Depin

/// A service of one of the many types that tests make while they run.
protocol Chained: Sendable {
    init()
}

extension Chained {
    static func register(in container: Container) {
        container.autoregister(Self.self) { Self() }
    }

    static func register(in container: Container, needing need: any Chained.Type) {
        func register<Need: Chained>(_: Need.Type) {
            container.autoregister(Self.self) { (_: Need) in Self() }
        }
        register(need)
    }
}

private struct Zero<Rest: Sendable>: Chained {}
private struct One<Rest: Sendable>: Chained {}

/// The type that the binary digits of a number name.
func chainedType(_ number: Int) -> any Chained.Type {
    func zero<Rest: Chained>(_: Rest.Type) -> any Chained.Type { Zero<Rest>.self }
    func one<Rest: Chained>(_: Rest.Type) -> any Chained.Type { One<Rest>.self }
    var (type, rest): (any Chained.Type, Int) = (Zero<Int>.self, number)
    while rest > 0 {
        type = rest % 2 == 0 ? zero(type) : one(type)
        rest /= 2
    }
    return type
}
