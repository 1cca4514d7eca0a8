import Depin
import Dispatch
import Testing

private protocol Labeled: AnyObject, Sendable {
    var label: String { get }
}
private final class Logger: Labeled {
    let label: String
    init(_ label: String) { self.label = label }
}
private final class Loud: Labeled {
    let label: String
    init(_ inner: any Labeled) { label = inner.label + "!" }
}
private protocol Further: AnyObject, Sendable {
    var label: String { get }
}
extension Logger: Further {}
extension Loud: Further {}

struct `Decorators of a registration for any name` {
    private let container = Container()

    @Test func `wrap an instance that a further type has had made before`() {
        container.register((any Labeled).self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
            .implements((any Further).self)
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        let further = container ~> ((any Further).self, name: "a")
        let labeled = container ~> ((any Labeled).self, name: "a")
        #expect(labeled.label == "a!")
        #expect(further === labeled)
    }

    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak])
    func `are inside those of a further type, also of one under a name`(scope: ObjectScope) {
        let entry = container.register((any Labeled).self, anyName: { _, name in Logger(name) })
            .inObjectScope(scope)
            .implements((any Further).self)
        let child = Container(parent: container)
        child.forward((any Further).self, name: "b", to: entry)
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        container.decorate((any Labeled).self, name: "b") { _, inner in Loud(inner) }
        child.decorate((any Further).self, name: "b") { _, inner in Logger(inner.label + "?") }
        #expect((container ~> ((any Further).self, name: "a")).label == "a!")
        #expect((container ~> ((any Further).self, name: "b")).label == "b!!")
        #expect((child ~> ((any Further).self, name: "b")).label == "b!!?")
        #expect((child.fork() ~> ((any Further).self, name: "b")).label == "b!!?")
    }

    @Test func `wrap under a further type what was made under the own one`() {
        container.register(Logger.self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
            .implements((any Labeled).self)
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        use(container ~> (Logger.self, name: "a"))
        #expect((container ~> ((any Labeled).self, name: "a")).label == "a!")
    }

    @Test(arguments: [ObjectScope.container, ObjectScope(storageFactory: PermanentStorage.init)])
    func `leave an instance as it is that was made before`(scope: ObjectScope) {
        container.register((any Labeled).self, anyName: { _, name in Logger(name) })
            .inObjectScope(scope)
        let made = container ~> ((any Labeled).self, name: "a")
        container.decorate((any Labeled).self, name: "a") { _, inner in Loud(inner) }
        #expect((container ~> ((any Labeled).self, name: "a")) === made)
    }

    @Test func `wrap under a further type what was made before they came`() {
        container.register(Logger.self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
            .implements((any Labeled).self)
        container.register(Logger.self, name: "b") { Logger("b") }
            .inObjectScope(.container)
            .implements((any Labeled).self, name: "b")
        let made = ["a", "b"].map { container ~> (Logger.self, name: $0) }
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        container.decorate((any Labeled).self, name: "b") { _, inner in Loud(inner) }
        for instance in made {
            let label = (container ~> ((any Labeled).self, name: instance.label)).label
            #expect(label == instance.label + "!")
        }
    }

    @Test func `wrap it however many threads ask at once`() {
        container.register((any Labeled).self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        let bare = CallCount()
        let container = container
        for round in 0..<100 {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for index in 0..<50 {
                    let name = "\(round).\(index)"
                    let made = container ~> ((any Labeled).self, name: name)
                    if made.label != name + "!" { bare.add() }
                }
            }
        }
        #expect(bare.count == 0)
    }

    @Test func `share in a graph by name`() {
        container.register((any Labeled).self, anyName: { _, name in Logger(name) })
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        container.register([any Labeled].self) { r in
            ["a", "b", "a"].map { r ~> ((any Labeled).self, name: $0) }
        }
        let child = Container(parent: container)
        child.decorate((any Labeled).self) { _, inner in Loud(inner) }
        for (asked, mark) in [(container, "!"), (child, "!!"), (child.fork(), "!!")] {
            let made = asked ~> [any Labeled].self
            #expect(made[0] === made[2])
            #expect(made.map(\.label) == ["a", "b", "a"].map { $0 + mark })
        }
    }
}
