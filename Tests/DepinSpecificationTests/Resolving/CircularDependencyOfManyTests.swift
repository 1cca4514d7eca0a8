import Depin
import Testing

/// Three and four objects that need each other, from every end.
struct `Circular dependencies of many` {
    private let container = Container()

    // A ──init──► B ──init──► C
    // ▲────────property───────┘
    @Test(arguments: [ObjectScope.graph, .container, .weak], ["A", "B", "C"])
    func `three, two of them by initializer`(scope: ObjectScope, end: String) throws {
        container.register(A.self) { resolver in A(b: resolver.resolve(B.self)!) }
            .inObjectScope(scope)
        container.register(B.self) { resolver in B(c: resolver.resolve(C.self)!) }
            .inObjectScope(scope)
        container.register(C.self) { _ in C() }
            .initCompleted { resolver, c in c.a = resolver.resolve(A.self) }
            .inObjectScope(scope)

        let c = try start(at: end)
        defer { c.a = nil }
        #expect(c.a?.b?.c === c)
        if scope !== ObjectScope.graph {
            #expect(try container.require(A.self) === c.a)
            #expect(try container.require(B.self) === c.a?.b)
        }
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak], ["A", "B", "C"])
    func `three, all by property`(scope: ObjectScope, end: String) throws {
        container.register(A.self) { _ in A() }
            .initCompleted { resolver, a in a.b = resolver.resolve(B.self) }
            .inObjectScope(scope)
        container.register(B.self) { _ in B() }
            .initCompleted { resolver, b in b.c = resolver.resolve(C.self) }
            .inObjectScope(scope)
        container.register(C.self) { _ in C() }
            .initCompleted { resolver, c in c.a = resolver.resolve(A.self) }
            .inObjectScope(scope)

        let c = try start(at: end)
        defer { c.a = nil }
        #expect(c.a?.b?.c === c)
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak], ["A", "B", "C"])
    func `every callback runs once`(scope: ObjectScope, end: String) throws {
        let events = EventLog<String>()
        container.register(A.self) { _ in A() }
            .inObjectScope(scope)
            .initCompleted { resolver, a in
                events.note("A")
                a.b = resolver.resolve(B.self)
            }
        container.register(B.self) { _ in B() }
            .inObjectScope(scope)
            .initCompleted { resolver, b in
                events.note("B")
                b.c = resolver.resolve(C.self)
            }
        container.register(C.self) { _ in C() }
            .inObjectScope(scope)
            .initCompleted { resolver, c in
                events.note("C")
                c.a = resolver.resolve(A.self)
            }
        let c = try start(at: end)
        c.a = nil
        #expect(events.all.sorted() == ["A", "B", "C"])
    }

    // First ──► Second ──► Third ──► Fourth
    //   ▲ ▲────────┘         │         │
    //   └────────────────────┴─────────┘      backwards by property
    @Test(arguments: [ObjectScope.graph, .container, .weak], [0, 1, 2, 3])
    func `four, with several circles`(scope: ObjectScope, end: Int) throws {
        let log = EventLog<Link>()
        for number in 0..<4 {
            container.register(Link.self, name: "\(number)") { resolver in
                let link = Link(number)
                log.note(link)
                if number < 3 {
                    link.forward = resolver.resolve(Link.self, name: "\(number + 1)")
                }
                return link
            }
            .initCompleted { resolver, link in
                if number > 0 {
                    link.back = resolver.resolve(Link.self, name: "0")
                }
            }
            .inObjectScope(scope)
        }
        let start = try container.require(Link.self, name: "\(end)")
        defer { for link in log.all { link.back = nil } }
        let first = try #require(end == 0 ? start : start.back)
        #expect(first.number == 0)
        var link = first
        for number in 0..<4 {
            #expect(link.number == number)
            #expect(number == 0 || link.back === first)
            if number == end { #expect(link === start) }
            if let next = link.forward { link = next }
        }
        #expect(link.number == 3)
    }

    // A diamond within a circle: A needs B and C, both need D, D needs A.
    @Test(arguments: [ObjectScope.graph, .container, .weak])
    func `a diamond within a circle`(scope: ObjectScope) throws {
        container.register(Top.self) { resolver in
            Top(resolver ~> (Side.self, name: "left"), resolver ~> (Side.self, name: "right"))
        }
        .inObjectScope(scope)
        for name in ["left", "right"] {
            container.register(Side.self, name: name) { resolver in Side(resolver ~> Bottom.self) }
                .inObjectScope(scope)
        }
        container.register(Bottom.self) { _ in Bottom() }
            .initCompleted { resolver, bottom in bottom.top = resolver.resolve(Top.self) }
            .inObjectScope(scope)

        let top = try container.require(Top.self)
        #expect(top.left.bottom === top.right.bottom)
        #expect(top.left.bottom.top === top)
        #expect(top.left !== top.right)
    }

    /// Resolves one of the three and leads the way to C.
    private func start(at end: String) throws -> C {
        switch end {
        case "A": try #require(try container.require(A.self).b?.c)
        case "B": try #require(try container.require(B.self).c)
        default: try container.require(C.self)
        }
    }
}

private final class A {
    var b: B?

    init(b: B? = nil) { self.b = b }
}

private final class B {
    var c: C?

    init(c: C? = nil) { self.c = c }
}

private final class C {
    var a: A?
}

private final class Link {
    let number: Int
    var forward: Link?
    var back: Link?

    init(_ number: Int) { self.number = number }
}

private final class Top {
    let left: Side
    let right: Side

    init(_ left: Side, _ right: Side) {
        self.left = left
        self.right = right
    }
}

private final class Side {
    let bottom: Bottom

    init(_ bottom: Bottom) { self.bottom = bottom }
}

private final class Bottom {
    weak var top: Top?
}
