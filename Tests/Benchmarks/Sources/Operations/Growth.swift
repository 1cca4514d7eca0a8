import Depin
import DepinInspection

// What takes as long for each of many as for each of few, as multiples of the time for each of few: 1
// where it does, 4 where the whole is quadratic, 16 where it is cubic.

extension Row {
    static let growth = [
        grown("14-arguments", "a request in a graph of as many, by argument", few: 500) { count in
            let container = Growth.arguments
            return { sink(container.resolve(Sum.self, argument: count)) }
        },
        grown("14-objects", "the same, by an object as argument", few: 500) { count in
            let container = Growth.arguments
            let tokens = (0..<count).map { _ in Token() }
            return { sink(container.resolve(Sum.self, argument: tokens)) }
        },
        grown("14-kept-graph", "a request in a kept graph, by argument", few: 500) { count in
            let container = Growth.arguments
            return {
                let graph = GraphIdentifier()
                let kept = (0..<count).map { argument in
                    container.withObjectGraph(graph) { $0.resolve(Part.self, argument: argument) }
                }
                sink(kept)
            }
        },
        grown("14-overriding", "register with `.overriding()`", few: 500) { count in
            let names = (0..<count).map { "\($0)" }
            return {
                let container = Container()
                Attic.keep(container)
                for name in names + names {
                    container.register(Part.self, name: name) { Part() }.overriding()
                }
            }
        },
        grown("14-names", "register, resolve and unregister a name", few: 500) { count in
            let names = (0..<count).map { "\($0)" }
            return {
                let container = Container()
                Attic.keep(container)
                for name in names {
                    container.register(Part.self, name: name) { Part() }
                    sink(container.resolve(Part.self, name: name))
                    container.unregister(Part.self, name: name)
                }
            }
        },
        grown("14-levels", "a new level of a hierarchy, and a request from it", few: 50) { count in
            let root = Growth.root()
            return {
                var level = root
                for _ in 0..<count {
                    level = Container(parent: level)
                    level.register(Part.self) { Part() }
                }
                sink(level.resolve(Sum.self))
                Attic.keep(level)
            }
        },
        grown("14-levels-missing", "a level of a hierarchy that has no such service", few: 25) {
            count in
            let innermost = Growth.hierarchy(of: count)
            return {
                do {
                    sink(try innermost.require(Part.self, name: "missing"))
                } catch {
                    sink("\(error)")
                }
            }
        },
        grown("14-levels-any", "a level of a hierarchy that is looked through", few: 50) { count in
            let innermost = Growth.hierarchy(of: count)
            return { sink(innermost.hasAnyRegistration(of: Part.self, name: "missing")) }
        },
        grown("14-levels-fork", "a level of a hierarchy, forked", few: 50) { count in
            let innermost = Growth.hierarchy(of: count)
            return {
                let fork = innermost.fork()
                sink(fork.resolve(Sum.self))
                Attic.keep(fork)
            }
        },
        grown("14-levels-validate", "a level of a hierarchy, validated", few: 25) { count in
            let innermost = Growth.hierarchy(of: count)
            return { sink(try? innermost.validate()) }
        },
        constant("14-children", "register anew in a parent with many children", many: 10_000) {
            count in
            let parent = Growth.root()
            let children = (0..<count).map { _ in
                let child = Container(parent: parent)
                sink(child.resolve(Sum.self))
                return child
            }
            return {
                withExtendedLifetime(children) {
                    for _ in 0..<20 { parent.register(Sum.self) { Sum([]) } }
                }
            }
        },
    ]

    private typealias Preparation = @Sendable (_ count: Int) -> () -> Void

    /// One of four times as many, beside one of few.
    private static func grown(
        _ id: String,
        _ title: String,
        few: Int,
        _ prepare: @escaping Preparation
    ) -> Row {
        row(id, title, few: few, many: 4 * few, times: 4, goal: 1.6, prepare)
    }

    /// The same work beside many others, and beside one.
    private static func constant(
        _ id: String,
        _ title: String,
        many: Int,
        _ prepare: @escaping Preparation
    ) -> Row {
        row(id, title, few: 1, many: many, times: 1, goal: 2, prepare)
    }

    private static func row(
        _ id: String,
        _ title: String,
        few: Int,
        many: Int,
        times: Int,
        goal: Double,
        _ prepare: @escaping Preparation
    ) -> Row {
        let operation = Operation(id, batch: 1) { count in
            let body = prepare(many)
            for _ in 0..<count { body() }
        }
        let title = "\(title), \(many)"
        return Row(id, title, floor: "of \(few)", goal: goal, operation: operation) {
            let floorTime = time(prepare(few))
            let time = time(prepare(many)) / Double(times)
            return Sample(nanoseconds: time, floorNanoseconds: floorTime)
        }
    }

    /// The time that a body takes, the second time.
    private static func time(_ body: () -> Void) -> Double {
        body()
        Attic.empty()
        let time = ContinuousClock().measure(body)
        Attic.empty()
        return time.nanoseconds
    }
}

private final class Part: Sendable {}

private final class Token: Sendable {}

private final class Sum: Sendable {
    let parts: [Part]
    init(_ parts: [Part]) { self.parts = parts }
}

private enum Growth {
    /// A service that needs another one by as many arguments as it is told, in one graph.
    static var arguments: Container {
        let container = Container()
        container.register(Part.self) { (_: any Resolver, _: Int) in Part() }
        container.register(Part.self) { (_: any Resolver, _: Token) in Part() }
        container.register(Sum.self) { (resolver, count: Int) in
            Sum(try (0..<count).map { try resolver.require(Part.self, argument: $0) })
        }
        container.register(Sum.self) { (resolver, tokens: [Token]) in
            Sum(try tokens.map { try resolver.require(Part.self, argument: $0) })
        }
        return container
    }

    static func root() -> Container {
        let container = Container()
        container.register(Part.self) { Part() }
        container.register(Sum.self) { Sum([try $0.require(Part.self)]) }
        return container
    }

    /// The innermost of so many levels, each with a registration over the others'.
    static func hierarchy(of depth: Int) -> Container {
        (0..<depth).reduce(root()) { parent, _ in
            let child = Container(parent: parent)
            child.register(Part.self) { Part() }
            return child
        }
    }
}
