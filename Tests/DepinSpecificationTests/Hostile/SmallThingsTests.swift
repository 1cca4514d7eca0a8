import Depin
import Foundation
import Testing

/// What each is a line or two of, and was found broken.
struct `Small things` {
    // MARK: - Resetting one service

    @Test func `a reset by a forwarded type drops the instance`() {
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

    @Test func `a reset by a forwarded type reaches the parents`() {
        let parent = Container()
        let container = Container(parent: parent)
        let entry = parent.register(Shelf.self) { Shelf() }.inObjectScope(.container)
        parent.forward((any Shelving).self, to: entry)
        let first = container ~> (any Shelving).self
        container.resetObjectScope(.container, serviceType: (any Shelving).self)
        #expect((container ~> Shelf.self) !== first)
    }

    @Test func `a reset by a type drops nothing of another`() {
        let container = Container()
        container.register(Shelf.self) { Shelf() }.inObjectScope(.session)
        container.register((any Shelving).self) { OtherShelf() }.inObjectScope(.session)
        let store = container ~> Shelf.self
        container.resetObjectScope(.session, serviceType: (any Shelving).self)
        #expect((container ~> Shelf.self) === store)
    }

    // MARK: - Recursion

    @Test(.disabled("not built yet"), arguments: [1, 3])
    func `a recursion without end ends on a small stack`(_ ring: Int) async {
        if ring == 1 {
            await #expect(processExitsWith: .success) { expectTooDeep(ring: 1) }
        } else {
            await #expect(processExitsWith: .success) { expectTooDeep(ring: 3) }
        }
    }
}

/// Asks for a service that needs itself by ever another argument, on the stack of a second thread of
/// Apple's.
private func expectTooDeep(ring: Int) {
    let container = Container()
    for index in 0..<ring {
        container.register(Shelf.self, name: "\(index)") { (resolver: any Resolver, n: Int) in
            let next = "\((index + 1) % ring)"
            return try resolver.require(Shelf.self, name: next, argument: n + 1)
        }
    }
    let (ended, isTooDeep) = (Latch(), EventLog<Bool>())
    let thread = Thread {
        do {
            _ = try container.require(Shelf.self, name: "0", argument: 0)
        } catch let error as ResolutionError {
            if case .recursionTooDeep = error.reason { isTooDeep.note(true) }
        } catch {
            isTooDeep.note(false)
        }
        ended.open()
    }
    thread.stackSize = 512 << 10
    thread.start()
    expect(ended.wait(), "it does not end")
    expect(isTooDeep.all == [true], "\(isTooDeep.all)")
}

extension ObjectScope {
    fileprivate static let session = ObjectScope(named: "session")
}

private protocol Shelving: AnyObject, Sendable {}
private final class Shelf: Shelving {}
private final class OtherShelf: Shelving {}
