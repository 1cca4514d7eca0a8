import Depin
import Testing

struct `Resetting the scope of one service` {
    @Test func `by a forwarded type drops the instance`() {
        let container = Container()
        container.register(Shelf.self) { Shelf() }
            .inObjectScope(.session)
            .implements((any Shelving).self)
            .implements((any Shelving).self, name: "named")
        let first = container ~> (any Shelving).self
        container.resetObjectScope(.session, serviceType: (any Shelving).self)
        let second = container ~> (any Shelving).self
        #expect(second !== first)
        #expect((container ~> Shelf.self) === second)
        #expect((container ~> ((any Shelving).self, name: "named" as TestName)) === second)
    }

    @Test func `by a forwarded type reaches the parents`() {
        let parent = Container()
        let container = Container(parent: parent)
        let entry = parent.register(Shelf.self) { Shelf() }.inObjectScope(.container)
        parent.forward((any Shelving).self, to: entry)
        let first = container ~> (any Shelving).self
        container.resetObjectScope(.container, serviceType: (any Shelving).self)
        #expect((container ~> Shelf.self) !== first)
    }

    @Test func `drops nothing of a service of another type`() {
        let container = Container()
        container.register(Shelf.self) { Shelf() }.inObjectScope(.session)
        container.register((any Shelving).self) { OtherShelf() }.inObjectScope(.session)
        let store = container ~> Shelf.self
        container.resetObjectScope(.session, serviceType: (any Shelving).self)
        #expect((container ~> Shelf.self) === store)
    }
}

extension ObjectScope {
    fileprivate static let session = ObjectScope(named: "session")
}

private protocol Shelving: AnyObject, Sendable {}
private final class Shelf: Shelving {}
private final class OtherShelf: Shelving {}
