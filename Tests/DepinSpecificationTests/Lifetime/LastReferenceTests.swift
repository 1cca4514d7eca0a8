import Depin
import Synchronization
import Testing

/// A factory drops the last reference to the container that runs it.
struct `The last reference to a container` {
    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak, ObjectScope(named: "x")])
    func `may go in a factory, and the request ends first`(scope: ObjectScope) throws {
        let owner = Owner { container, owner in
            container.register(Part.self) { Part() }
            container.register(Whole.self) { r in
                owner.drop()
                return Whole(part: try r.require(Part.self))
            }
            .inObjectScope(scope)
        }
        weak let container = owner.container
        do {
            // The call holds the container.
            _ = try #require(try owner.container?.require(Whole.self))
        }
        #expect(container == nil)
    }

    @Test func `may go in a request of what the container keeps, which finds it gone`() throws {
        let owner = Owner { container, owner in
            container.register(Part.self) { Part() }
            container.register(Whole.self) { r in
                owner.drop()
                return Whole(part: try r.require(Part.self))
            }
            container.register(Maker.self) { r in Maker(resolver: r) }.inObjectScope(.container)
        }
        let maker = try #require(try owner.container?.require(Maker.self))
        let error = #expect(throws: ResolutionError.self) { try maker.resolver.require(Whole.self) }
        #expect(error?.reason == .containerGone)
        #expect(error?.path.count == 1)
    }
}

private final class Owner: Sendable {
    private let kept = Mutex<Container?>(nil)

    init(_ register: (Container, Owner) -> Void) {
        let container = Container()
        kept.withLock { $0 = container }
        register(container, self)
    }

    var container: Container? { kept.withLock { $0 } }

    func drop() {
        let dropped = kept.withLock { container in
            defer { container = nil }
            return container
        }
        withExtendedLifetime(dropped) {}
    }
}

private final class Part: Sendable {}

private final class Whole: Sendable {
    let part: Part

    init(part: Part) {
        self.part = part
    }
}

private final class Maker: Sendable {
    let resolver: any Resolver

    init(resolver: any Resolver) {
        self.resolver = resolver
    }
}
