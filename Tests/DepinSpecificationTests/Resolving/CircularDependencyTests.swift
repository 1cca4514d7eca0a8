import Depin
import Testing

/// Two objects that need each other.
struct `Circular dependencies of two` {
    private let container = Container()

    // Parent ──init──► Child
    //    ▲──property────┘
    @Test(arguments: [ObjectScope.graph, .container, .weak, ObjectScope(named: "session")])
    func `an initializer and a property`(scope: ObjectScope) throws {
        container.register(Parent.self) { resolver in Mother(child: resolver.resolve(Child.self)!) }
            .inObjectScope(scope)
        container.register(Child.self) { _ in Son() }
            .initCompleted { resolver, child in
                let son = child as! Son
                son.parent = resolver.resolve(Parent.self)!
            }
            .inObjectScope(scope)

        let mother = try #require(container.resolve(Parent.self) as? Mother)
        let son = try #require(mother.child as? Son)
        #expect(son.parent as? Mother === mother)
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak, ObjectScope(named: "session")])
    func `an initializer and a property, from the other end`(scope: ObjectScope) throws {
        container.register(Parent.self) { resolver in Mother(child: resolver.resolve(Child.self)!) }
            .inObjectScope(scope)
        let mothers = EventLog<Mother>()
        container.register(Child.self) { _ in Son() }
            .initCompleted { resolver, child in
                let mother = resolver.resolve(Parent.self) as! Mother
                mothers.note(mother)
                (child as! Son).parent = mother
            }
            .inObjectScope(scope)

        let son = try #require(container.resolve(Child.self) as? Son)
        let mother = try #require(son.parent as? Mother)
        #expect(mother.child as? Son === son)
        #expect(mothers.all.count == 1)
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak, ObjectScope(named: "session")])
    func `two properties, from either end`(scope: ObjectScope) throws {
        let mothers = EventLog<Mother>()
        for _ in 0..<2 {
            registerProperties(in: scope, mothers)
            let mother = try #require(container.resolve(Parent.self) as? Mother)
            let son = try #require(mother.child as? Son)
            #expect(son.parent as? Mother === mother)

            registerProperties(in: scope, mothers)
            let child = try #require(container.resolve(Child.self) as? Son)
            let parent = try #require(mothers.all.last)
            #expect(child.parent as? Mother === parent)
            #expect(parent.child as? Son === child)
        }
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak])
    func `callbacks run once for each object that is kept`(scope: ObjectScope) throws {
        let events = EventLog<String>()
        container.register(Parent.self) { resolver in Mother(child: resolver.resolve(Child.self)!) }
            .inObjectScope(scope)
            .initCompleted { _, _ in events.note("parent") }
        container.register(Child.self) { _ in Son() }
            .inObjectScope(scope)
            .initCompleted { resolver, child in
                (child as! Son).parent = resolver.resolve(Parent.self)
                events.note("child")
            }
        let mother = try #require(container.resolve(Parent.self) as? Mother)
        withExtendedLifetime(mother) { #expect(events.all == ["parent", "child"]) }
    }

    // The outer factory of Parent runs on after the cycle has built another: the first that was
    // stored wins, and everyone has that one.
    @Test func `the first instance stored wins`() throws {
        let builds = CallCount()
        let seen = EventLog<Mother>()
        container.register(Parent.self) { resolver in
            let child = resolver.resolve(Child.self)!
            builds.add()
            return Mother(child: child)
        }
        container.register(Child.self) { _ in Son() }
            .initCompleted { resolver, child in
                let mother = resolver.resolve(Parent.self) as! Mother
                seen.note(mother)
                (child as! Son).parent = mother
            }
        let mother = try #require(container.resolve(Parent.self) as? Mother)
        #expect(builds.count == 2)
        #expect(seen.all.allSatisfy { $0 === mother })
    }

    @Test func `an object may need itself in its callback`() throws {
        container.register(Ring.self) { _ in Ring() }
            .initCompleted { resolver, node in node.next = resolver.resolve(Ring.self) }
        let node = try container.require(Ring.self)

        #expect(node.next === node)
        node.next = nil
    }

    @Test func `the scopes of the two may differ`() throws {
        container.register(Parent.self) { resolver in Mother(child: resolver.resolve(Child.self)!) }
            .inObjectScope(.container)
        container.register(Child.self) { _ in Son() }
            .initCompleted { resolver, child in
                (child as! Son).parent = resolver.resolve(Parent.self)
            }
        let mother = try #require(container.resolve(Parent.self) as? Mother)
        #expect((mother.child as? Son)?.parent as? Mother === mother)

        let son = try #require(container.resolve(Child.self) as? Son)
        #expect(son.parent as? Mother === mother)
        #expect(mother.child as? Son !== son)
    }

    @Test func `a forwarded type closes the circle`() throws {
        container.register(Mother.self) { resolver in Mother(child: resolver.resolve(Child.self)!) }
            .implements(Parent.self)
        container.register(Son.self) { _ in Son() }
            .implements(Child.self)
            .initCompleted { resolver, son in son.parent = resolver.resolve(Parent.self) }
        let mother = try container.require(Mother.self)

        #expect((mother.child as? Son)?.parent as? Mother === mother)
    }

    @Test func `arguments are a part of what is the same`() throws {
        container.register(Ring.self) { (_, number: Int) in Ring(number) }
            .initCompleted { resolver, node in
                node.next = resolver.resolve(Ring.self, argument: (node.number + 1) % 3)
            }
        let node = try container.require(Ring.self, argument: 0)
        #expect(node.next?.number == 1)
        #expect(node.next?.next?.number == 2)
        #expect(node.next?.next?.next === node)
        node.next = nil
    }

    private func registerProperties(in scope: ObjectScope, _ mothers: EventLog<Mother>) {
        container.register(Parent.self) { _ in Mother() }
            .initCompleted { resolver, parent in
                guard let mother = parent as? Mother else { return }
                mothers.note(mother)
                mother.child = resolver.resolve(Child.self)
            }
            .inObjectScope(scope)
        container.register(Child.self) { _ in Son() }
            .initCompleted { resolver, child in
                (child as? Son)?.parent = resolver.resolve(Parent.self)
            }
            .inObjectScope(scope)
    }
}

private protocol Parent: AnyObject {}

private protocol Child: AnyObject {}

private final class Mother: Parent {
    var child: Child?

    init() {}

    init(child: Child) { self.child = child }
}

private final class Son: Child {
    weak var parent: Parent?
}

private final class Ring {
    let number: Int
    var next: Ring?

    init(_ number: Int = 0) { self.number = number }
}
