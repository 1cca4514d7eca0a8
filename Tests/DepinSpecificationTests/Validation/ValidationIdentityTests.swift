import Depin
import DepinInspection
import Foundation
import Testing

/// A validation tells types and instances apart, also those that come and go while it runs.
///
/// What ends may give its address to what comes next, so in a release build each of these used to
/// crash; each runs in a process of its own.
struct `A validation with services that come and go` {
    @Test func `gives each service its own instance`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Root.self) { [unowned container] resolver in
                for round in 0..<200 {
                    container.register(Small.self) { Small(round) }
                    check(try resolver.require(Small.self).number, round)
                    container.unregister(Small.self)
                    container.register(Large.self) { Large(round) }
                    check(try resolver.require(Large.self).words.count, 4)
                    check(try resolver.require(Large.self).number, round)
                    container.unregister(Large.self)
                    container.register(Value.self) { Value(number: round) }
                    check(try resolver.require(Value.self).number, round)
                    container.unregister(Value.self)
                }
                return Root()
            }
            try container.validate()
            expect(!container.hasAnyRegistration(of: Small.self), "it is in the original")
        }
    }

    @Test func `gives a name what is registered under it now`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Root.self) { [unowned container] resolver in
                for round in 0..<200 {
                    let name = "\(round)"
                    container.register(Small.self, name: name) { Small(round) }
                        .inObjectScope(round % 2 == 0 ? .container : .transient)
                    check(try resolver.require(Small.self, name: name).number, round)
                    container.unregister(Small.self, name: name)
                }
                return Root()
            }
            try container.validate()
        }
    }

    @Test func `builds anew what is registered anew`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Root.self) { [unowned container] resolver in
                for round in 0..<200 {
                    container.register(Small.self) { Small(round) }.overriding()
                    check(try resolver.require(Small.self).number, round)
                }
                return Root()
            }
            try container.validate()
        }
    }

    @Test func `builds anew what a factory registers anew before it has been asked for`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Small.self) { Small(-1) }
            container.register(Root.self) { [unowned container] resolver in
                _ = try resolver.require(Small.self)
                container.register(Small.self) { Small(5) }.overriding()
                check(try resolver.require(Small.self).number, 5)
                return Root()
            }
            try container.validate()
        }
    }

    @Test func `gives each of several services of one custom scope its own instance`() async {
        await #expect(processExitsWith: .success) {
            let scope = ObjectScope(storageFactory: ForgetfulStorage.init, description: "forgetful")
            let container = Container()
            container.register(Root.self) { [unowned container] resolver in
                var all: [Small] = []
                for number in 0..<5 {
                    container.register(Small.self, name: "now") { Small(number) }
                        .inObjectScope(scope)
                    let small = try resolver.require(Small.self, name: "now")
                    check(small.number, number)
                    all.append(small)
                    container.unregister(Small.self, name: "now")
                }
                check(Set(all.map { ObjectIdentifier($0) }).count, 5)
                return Root()
            }
            try container.validate()
        }
    }
}

/// A registration that follows another has nothing of the other's instances.
struct `A custom scope whose registrations come and go` {
    enum Kind: CaseIterable {
        case graph, graphAndMore, weak, forgetful

        func makeStorage() -> any InstanceStorage {
            switch self {
            case .graph: GraphStorage()
            case .graphAndMore: CompositeStorage([GraphStorage(), TransientStorage()])
            case .weak: CompositeStorage([WeakStorage(), GraphStorage()])
            case .forgetful: ForgetfulStorage()
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `gives five registrations five instances in one graph`(_ kind: Kind) throws {
        let scope = ObjectScope(storageFactory: { kind.makeStorage() }, description: "\(kind)")
        let container = Container()
        container.register([Small].self) { [unowned container] resolver in
            try (0..<5).map { number in
                container.register(Small.self) { Small(number) }.inObjectScope(scope)
                defer { container.unregister(Small.self) }
                return try resolver.require(Small.self)
            }
        }
        let all = try container.require([Small].self)
        #expect(all.map(\.number) == [0, 1, 2, 3, 4])
    }

    @Test(arguments: Kind.allCases)
    func `gives a kept graph what is registered now`(_ kind: Kind) throws {
        let scope = ObjectScope(storageFactory: { kind.makeStorage() }, description: "\(kind)")
        let container = Container()
        let graph = GraphIdentifier()
        var held: [Small] = []
        for number in 0..<100 {
            container.register(Small.self) { Small(number) }.inObjectScope(scope)
            let small = try container.withObjectGraph(graph) { try $0.require(Small.self) }
            held.append(small)
            container.unregister(Small.self)
        }
        #expect(held.map(\.number) == Array(0..<100))
    }
}

/// A container that follows another has nothing of the other's instances.
struct `Containers that come and go` {
    @Test func `get their own from a graph that stays`() throws {
        let parent = Container()
        parent.register(Large.self) { r in Large((r ~> Small.self).number) }
        let graph = GraphIdentifier()
        var held: [Large] = []
        for number in 0..<100 {
            let child = Container(parent: parent)
            child.register(Small.self) { Small(number) }
            held.append(try child.withObjectGraph(graph) { try $0.require(Large.self) })
        }
        #expect(held.map(\.number) == Array(0..<100))
    }
}

/// Keeps an instance until the next one is made, as a storage for one use does.
private final class ForgetfulStorage: InstanceStorage {
    private weak var object: AnyObject?

    var instance: Any? {
        get { object }
        set { object = newValue.map { $0 as AnyObject } }
    }

    func instance(inGraph graph: GraphIdentifier) -> Any? { instance }
}

private func check<Value: Equatable>(_ value: Value, _ wanted: Value, line: UInt = #line) {
    expect(value == wanted, "\(value) instead of \(wanted)", line: line)
}

private final class Root: Sendable {}

private final class Small: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// Larger than `Small`, so that taking one for the other is seen.
private final class Large: Sendable {
    let words = ["not", "a", "small", "one"]
    let number: Int
    init(_ number: Int) { self.number = number }
}

private struct Value: Sendable {
    var words = ("a", "value", "of", "many", "words")
    let number: Int
}
