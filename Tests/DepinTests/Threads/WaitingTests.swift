import Dispatch
import Foundation
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `Nobody waits for what they do not need` {
    @Test func `a factory held at a gate blocks only those who need its instance`() {
        let container = Container()
        let (inFactory, open) = (Gate(), Gate())
        container.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing()
        }
        .inObjectScope(.container)
        let slow = Running { container ~> Thing.self }
        inFactory.wait()

        // All of this ends while the gate is closed.
        doEverything(with: container)
        container.resetObjectScope(.container)
        let child = Container(parent: container)
        doEverything(with: child)
        doEverything(with: container.fork())
        container.unregister(Thing.self)
        container.removeAll()

        open.open()
        #expect(slow.value.number == 0)
    }

    @Test func `two unrelated shared instances are built at the same time`() {
        let container = Container()
        let (here, there) = (Gate(), Gate())
        container.register(Thing.self, name: "here") {
            here.open()
            there.wait()
            return Thing(1)
        }
        .inObjectScope(.container)
        container.register(Thing.self, name: "there") {
            there.open()
            here.wait()
            return Thing(2)
        }
        .inObjectScope(.weak)
        let names = ["here", "there"]
        let things = onThreads(2) { container ~> (Thing.self, name: names[$0]) }
        #expect(things.map(\.number) == [1, 2])
    }

    @Test func `the same service is built at the same time in a container and its fork`() {
        let container = Container()
        let gates = Shared([Gate(), Gate()])
        container.register(Thing.self) {
            // Each build opens a gate and waits until the other has.
            let gates = gates.change { gates in
                defer { gates.reverse() }
                return gates
            }
            gates[0].open()
            gates[1].wait()
            return Thing()
        }
        .inObjectScope(.container)
        let containers = [container, container.fork()]
        let things = onThreads(2) { containers[$0] ~> Thing.self }
        #expect(things[0] !== things[1])
    }

    @Test func `who needs it waits, and unshared services that do not, do not`() {
        let container = Container()
        let (inFactory, open) = (Gate(), Gate())
        container.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing(7)
        }
        .inObjectScope(.container)
        container.register(Int.self) { ($0 ~> Thing.self).number }
        container.register(String.self) { "free" }
        let slow = Running { container ~> Thing.self }
        inFactory.wait()
        let needing = Running { container ~> Int.self }
        needing.untilItWaits()
        #expect((container ~> String.self) == "free")
        open.open()
        #expect(needing.value == 7)
        #expect(slow.value.number == 7)
    }

    // MARK: - Factories do what apps do

    @Test func `a shared factory waits for a queue on which others resolve`() {
        let container = Container()
        container.register(String.self) { "from the queue" }.inObjectScope(.container)
        container.register([String].self) { [unowned container] resolver in
            let queue = DispatchQueue(label: "worker", attributes: .concurrent)
            let results = Shared<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                let text = resolver ~> String.self
                results.change { $0.append(text) }
            }
            let last = queue.sync { container ~> String.self }
            return results.value + [last]
        }
        .inObjectScope(.container)
        let found = onThreads(3) { _ in container ~> [String].self }
        #expect(found == Array(repeating: Array(repeating: "from the queue", count: 5), count: 3))
    }

    @Test func `a factory registers, asks a child, resets, and goes on`() {
        let container = Container()
        container.register(Thing.self) { [unowned container] resolver in
            container.register(Int.self) { 5 }
            let child = Container(parent: container)
            child.register(String.self) { "child" }
            container.resetObjectScope(.container)
            return Thing((resolver ~> Int.self) + (child ~> String.self).count)
        }
        .inObjectScope(.container)
        #expect(onThreads(4) { _ in container ~> Thing.self }.allSatisfy { $0.number == 10 })
    }
}

/// Uses what a container can do, on the thread that calls: registers enough names to take every
/// lock there is.
func doEverything(with container: Container) {
    let key = UUID().uuidString
    for index in 0..<130 {
        let name = "\(key) \(index)"
        container.register(Everything.self, name: name) { Everything() }
            .inObjectScope(index % 2 == 0 ? .container : .weak)
        use(container ~> (Everything.self, name: name))
        use(container ~> (Everything.self, name: name))
    }
    container.register(Everything.self, name: key) { resolver in
        resolver ~> (Everything.self, name: "\(key) 0")
    }
    .initCompleted { resolver, _ in use(resolver ~> (Everything.self, name: "\(key) 1")) }
    .implements(Everything?.self, name: key)
    let lazy = container ~> (Lazy<Everything>.self, name: key)
    _ = lazy.instance
    use((container ~> (Provider<Everything>.self, name: key)).instance)
    use(container.synchronize() ~> (Everything.self, name: key))
    container.resetObjectScope(.weak, serviceType: Everything.self)
    _ = container.hasAnyRegistration(of: Everything.self, name: key)
    _ = container.description
    use(container.fork() ~> (Everything.self, name: key))
    for index in 0..<130 {
        container.unregister(Everything.self, name: "\(key) \(index)")
    }
    container.unregister(Everything.self, name: key)
    container.unregister(Everything?.self, name: key)
}

private final class Everything: Sendable {}
