import Depin
import Testing

private class Tracker: @unchecked Sendable {}  // Nothing in it changes.
private final class Console: Tracker, @unchecked Sendable {}

private struct Weak {
    private(set) weak var object: AnyObject?
    init(_ object: AnyObject?) { self.object = object }
}

extension Resolver {
    fileprivate var trackers: [Tracker] { self ~> [Tracker].self }
}

/// Whatever comes once all contributions are ready.
struct `A collection of ready instances` {
    private let container = Container()

    init() {
        container.contribute(Tracker.self) { Tracker() }.inObjectScope(.container)
        container.contribute(Tracker.self, name: "n") { Tracker() }.inObjectScope(.container)
        for _ in 0..<3 { _ = container.trackers }
    }

    private func isSame(_ one: some Sequence<Tracker>, _ other: some Sequence<Tracker>) -> Bool {
        one.elementsEqual(other, by: ===)
    }

    private func isNew(_ tracker: Tracker, since trackers: [Tracker]) -> Bool {
        !trackers.contains { $0 === tracker }
    }

    @Test func `is the same each time`() {
        let trackers = container.trackers
        #expect(trackers.count == 2)
        #expect(isSame(trackers, container.trackers))
        #expect((container ~> [String: Tracker].self)["n"] === trackers[1])
        #expect(isSame((container ~> [Tracker]?.self) ?? [], trackers))
    }

    @Test func `has what is contributed later, and not what is gone`() {
        let trackers = container.trackers
        container.contribute(Tracker.self, order: -1) { Tracker() }.inObjectScope(.container)
        for _ in 0..<3 { #expect(isSame(container.trackers.dropFirst(), trackers)) }
        container.unregister(Tracker.self)
        for _ in 0..<3 { #expect(isSame(container.trackers, trackers[1...])) }
        container.removeAll()
        #expect(container.trackers.isEmpty)
        container.register([Tracker].self) { trackers }
        #expect(container.trackers.count == 2)
    }

    @Test func `is made anew after a reset, of all and of one`() {
        let entry = container.contribute(Console.self) { Console() }
            .inObjectScope(.container)
            .implements(Tracker.self)
        for _ in 0..<3 { _ = container.trackers }
        let first = container.trackers
        container.resetObjectScope(.container, serviceType: Console.self)
        let second = container.trackers
        #expect(isSame(second.prefix(2), first.prefix(2)))
        #expect(isNew(second[2], since: first))
        container.resetObjectScope(.container)
        #expect(container.trackers.allSatisfy { isNew($0, since: second) })
        let third = container.trackers
        entry.inObjectScope(.transient)
        #expect(isNew(container.trackers[2], since: third))
        #expect(container.trackers[2] !== container.trackers[2])
    }

    @Test func `holds nothing that has been dropped`() {
        let (first, second) = (Weak(container.trackers[0]), Weak(container.trackers[1]))
        container.resetObjectScope(.container)
        #expect(first.object == nil && second.object == nil)
        for _ in 0..<3 { _ = container.trackers }
        let (third, fourth) = (Weak(container.trackers[0]), Weak(container.trackers[1]))
        container.unregister(Tracker.self)
        #expect(third.object == nil && fourth.object != nil)
        for _ in 0..<3 { _ = container.trackers }
        container.removeAll()
        #expect(fourth.object == nil)
    }

    @Test func `is another one in a fork, an override and a child`() {
        let trackers = container.trackers
        let fork = container.fork()
        for _ in 0..<3 { #expect(fork.trackers.allSatisfy { isNew($0, since: trackers) }) }
        #expect(isSame(container.trackers, trackers))
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: {
                $0.contribute(Tracker.self, name: "n") { Console() }.inObjectScope(.container)
            }) {
                let container = SpaceValues.current.dependenciesContainer
                for _ in 0..<3 { #expect(container.trackers[1] is Console) }
            }
        }
        let child = Container(parent: container)
        child.contribute(Tracker.self, order: -1) { Console() }.inObjectScope(.container)
        for _ in 0..<3 { #expect(isSame(child.trackers.dropFirst(), trackers)) }
        container.resetObjectScope(.container)
        #expect(child.trackers.dropFirst().allSatisfy { isNew($0, since: trackers) })
    }

    @Test func `is a parent's for a child that adds nothing to it`() throws {
        let child = Container(parent: container)
        for _ in 0..<3 { #expect(isSame(child.trackers, container.trackers)) }
        container.resetObjectScope(.container)
        for _ in 0..<3 { #expect(isSame(child.trackers, container.trackers)) }
        let seen = EventLog<String>()
        child.addObserver(Watching(log: seen))
        _ = child.trackers
        #expect(seen.all.count == 6)
        let other = Container(parent: container)
        for _ in 0..<3 { _ = other.trackers }
        other.decorate(Tracker.self) { _, _ in Console() }
        for _ in 0..<3 { #expect(other.trackers.allSatisfy { $0 is Console }) }
        let third = Container(parent: container)
        for _ in 0..<3 { _ = third.trackers }
        third.register([Tracker].self) { [] }
        #expect(third.trackers.isEmpty)
        #expect(container.trackers.count == 2)
    }

    @Test func `is seen by observers, and closed in order`() async throws {
        let (seen, closed) = (EventLog<String>(), EventLog<String>())
        container.addObserver(Watching(log: seen))
        _ = container.trackers
        #expect(seen.all.count == 6)
        container.contribute(Tracker.self, name: "last") { Tracker() }
            .inObjectScope(.container)
            .onClose { _ in closed.note("closed") }
        _ = container.trackers
        try await container.close()
        #expect(closed.all == ["closed"])
        #expect(throws: ResolutionError.self) { try container.require([Tracker].self) }
    }

    private struct Watching: ResolutionObserver {
        let log: EventLog<String>
        func observe(_ event: ResolutionEvent) { log.note("\(event.request) \(event.outcome)") }
    }

    @Test(arguments: [ObjectScope.container, .transient])
    func `is in order, whoever contributes at once`(_ scope: ObjectScope) async {
        let container = Container()
        let child = Container(parent: container)
        await withTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    (number % 2 == 0 ? container : child)
                        .contribute(Int.self, order: number / 4) { number / 4 }
                        .inObjectScope(scope)
                    _ = (container ~> [Int].self, child ~> [Int].self)
                }
            }
        }
        for container in [container, child] {
            let numbers = container ~> [Int].self
            #expect(numbers.count == (container === child ? 40 : 20))
            #expect(numbers == numbers.sorted())
        }
    }

    @Test func `never has what its thread has dropped`() async {
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [container] in
                    for _ in 0..<300 {
                        let before = container.trackers
                        container.resetObjectScope(.container)
                        for tracker in container.trackers {
                            #expect(!before.contains { $0 === tracker })
                        }
                    }
                }
            }
        }
    }
}
