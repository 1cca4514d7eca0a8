import Depin
import DepinInspection
import Testing

private protocol Log: AnyObject, Sendable {}
private final class FileLog: Log {}
private final class NoLog: Log {}
private final class OtherLog: Log {}

extension Container {
    /// The log that is found, or another service of the name.
    fileprivate func log(_ name: String? = nil) -> any Log { self ~> ((any Log).self, name: name) }

    @discardableResult
    fileprivate func registerDefault(_ name: String? = nil) -> ServiceEntry<any Log> {
        register((any Log).self, name: name) { NoLog() }.asDefault()
    }
}

struct `A default` {
    private let container = Container()

    @Test(arguments: [nil, "n"], [ObjectScope.transient, .graph, .container, .weak])
    func `answers where nothing else does`(name: String?, scope: ObjectScope) {
        container.registerDefault(name).inObjectScope(scope)
        let first = container.log(name)
        #expect(first is NoLog)
        let isShared = scope === ObjectScope.container || scope === ObjectScope.weak
        #expect((container.log(name) as? NoLog === first as? NoLog) == isShared)
        #expect(container.hasAnyRegistration(of: (any Log).self, name: name))
        #expect(Container(parent: container).log(name) is NoLog)
        #expect(container.fork().log(name) is NoLog)
        #expect(container.resolve(Lazy<any Log>.self, name: name)?.instance is NoLog)
    }

    @Test(arguments: [true, false])
    func `yields to another registration, before or after, silently`(isLater: Bool) throws {
        if isLater { container.registerDefault() }
        container.register((any Log).self) { FileLog() }
        if !isLater { container.registerDefault() }
        #expect(container.log() is FileLog)
        #expect(container.fork().log() is FileLog)
        #expect(problemKinds(of: container) == [])
        container.unregister((any Log).self)
        #expect(container.resolve((any Log).self) == nil, "the default goes with the service")
    }

    @Test(arguments: [ObjectScope.container, .weak, ObjectScope(named: "session")])
    func `leaves alone what the other one shares`(scope: ObjectScope) {
        let made = CallCount()
        container.register((any Log).self) {
            made.add()
            return FileLog()
        }
        .inObjectScope(scope)
        .implements(AnyObject.self)
        let first = container.log()
        container.registerDefault().inObjectScope(scope).implements(AnyObject.self)
        #expect(container.log() as? FileLog === first as? FileLog)
        #expect((container ~> AnyObject.self) === first as? FileLog)
        #expect(made.count == 1)
        #expect(problemKinds(of: container) == [])
        container.resetObjectScope(scope)
        #expect(container.log() as? FileLog !== first as? FileLog)
    }

    @Test func `leaves alone an instance that nobody else holds`() {
        container.register((any Log).self) { FileLog() }.inObjectScope(.container)
        weak let first = container.log() as? FileLog
        container.registerDefault()
        #expect(first != nil)
        #expect(container.log() as? FileLog === first)
    }

    @Test func `may be said of it long after it was registered`() {
        container.register((any Log).self) { FileLog() }
        let entry = container.register((any Log).self) { NoLog() }
        #expect(container.log() is NoLog)
        entry.implements(NoLog.self).asDefault()
        #expect(container.log() is FileLog)
        #expect(container.resolve(NoLog.self) != nil)
        container.register(NoLog.self) { NoLog() }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `has another scope in its forks, too, chosen later`() {
        let entry = container.registerDefault().inObjectScope(.container)
        let fork = container.fork()
        let log = fork.log()
        #expect(fork.log() === log)
        entry.inObjectScope(.signedIn)
        #expect(fork.log() !== log)
    }

    @Test func `does not bring back what a third one has replaced`() {
        container.register((any Log).self) { FileLog() }
        let entry = container.register((any Log).self) { NoLog() }
        container.register((any Log).self) { OtherLog() }
        entry.asDefault()
        #expect(container.log() is OtherLog)
    }

    @Test func `is configured after it has replaced another one`() {
        let completed = CallCount()
        container.register((any Log).self) { FileLog() }
        let entry = container.register((any Log).self) { NoLog() }
            .inObjectScope(.container)
            .initCompleted { _, _ in completed.add() }
            .implements(AnyObject.self)
        #expect(entry.objectScope === ObjectScope.container)
        #expect(container.log() as AnyObject === (container ~> AnyObject.self))
        #expect(completed.count == 1)
        container.forward(Int.self, to: entry)
        #expect(container.hasAnyRegistration(of: Int.self))
    }

    @Test func `never hides a parent's, before or after, not even its default`() {
        let child = Container(parent: container)
        child.registerDefault().inObjectScope(.container)
        #expect(child.log() is NoLog)
        #expect(container.resolve((any Log).self) == nil)
        container.register((any Log).self) { OtherLog() }.asDefault()
        #expect(child.log() is OtherLog)
        container.register((any Log).self) { FileLog() }
        #expect(child.log() is FileLog)
        child.register((any Log).self) { OtherLog() }
        #expect(child.log() is OtherLog)
    }

    @Test func `is overwritten silently by another default, and that is told`() throws {
        container.registerDefault()
        container.register((any Log).self) { OtherLog() }.asDefault()
        #expect(container.log() is OtherLog)
        #expect(problemKinds(of: container) == [.silentOverwrite])
    }

    @Test func `is one for its further types too, said before or after`() {
        container.register(FileLog.self) { FileLog() }.implements((any Log).self)
        container.register(NoLog.self) { NoLog() }
            .implements((any Log).self)
            .asDefault()
            .implements(AnyObject.self)
        #expect(container.log() is FileLog)
        #expect(container.resolve(NoLog.self) != nil)
        #expect((container ~> AnyObject.self) is NoLog)
        container.register(AnyObject.self) { FileLog() }
        #expect((container ~> AnyObject.self) is FileLog)
        #expect(problemKinds(of: container) == [])
    }

    @Test(arguments: [true, false])
    func `is one for a type that another container forwards to it, said before or after`(
        isEarly: Bool
    ) {
        for isChild in [true, false] {
            let owner = Container()
            let other = Container(parent: isChild ? owner : nil)
            let entry = owner.register(NoLog.self) { NoLog() }
            if isEarly { entry.asDefault() }
            other.register((any Log).self) { FileLog() }
            other.forward((any Log).self, to: entry)
            if !isEarly { entry.asDefault() }
            #expect(other.log() is FileLog)
            #expect(problemKinds(of: other) == [])
        }
    }

    @Test(arguments: [true, false])
    func `yields where an override or a stand-in places its further type`(
        isEarly: Bool
    ) throws {
        func add(to container: Container) {
            let entry = container.register(NoLog.self) { NoLog() }
            if isEarly { entry.asDefault() }
            entry.implements((any Log).self)
            if !isEarly { entry.asDefault() }
        }
        container.register((any Log).self) { FileLog() }
        let (child, found) = (Container(parent: container), EventLog<Bool>())
        child.register(Int.self) { resolver in
            found.note((resolver ~> (any Log).self) is FileLog)
            return 1
        }
        withSpace(\.dependenciesContainer, child) {
            withSpace(overriding: add) {
                #expect(SpaceValues.current.dependenciesContainer.log() is FileLog)
            }
        }
        _ = try child.validate(standIns: add)
        #expect(found.all == [true])
    }

    @Test(arguments: [true, false])
    func `is the last one that was registered, if two are said to be one`(isLate: Bool) {
        let child = Container(parent: container)
        let first = child.register((any Log).self) { NoLog() }
        if !isLate { first.asDefault() }
        let second = child.register((any Log).self) { OtherLog() }
        if isLate { first.asDefault() }
        second.asDefault()
        #expect(child.log() is OtherLog)
        container.register((any Log).self) { FileLog() }
        #expect(child.log() is FileLog)
    }

    @Test func `is decorated, and yields with its arguments`() {
        container.register(String.self) { (_, number: Int) in "default \(number)" }.asDefault()
        container.decorate(String.self) { _, inner in "(\(inner))" }
        #expect((container ~> (String.self, argument: 1)) == "(default 1)")
        container.register(String.self) { (_, number: Int) in "\(number)" }
        #expect((container ~> (String.self, argument: 1)) == "(1)")
    }

    @Test func `is decorated by a child, and under its further types`() {
        container.register(NoLog.self) { NoLog() }.inObjectScope(.container)
            .implements((any Log).self)
            .asDefault()
        let child = Container(parent: container)
        child.decorate(NoLog.self) { _, _ in NoLog() }
        container.decorate((any Log).self) { _, _ in OtherLog() }
        #expect(container.log() is OtherLog)
        #expect(child.log() === container.log())
        let (inner, outer) = (container ~> NoLog.self, child ~> NoLog.self)
        #expect(outer !== inner)
        #expect((child ~> NoLog.self) === outer)
        #expect((container ~> NoLog.self) === inner)
        container.resetObjectScope(.container)
        #expect((child ~> NoLog.self) !== outer)
        container.register(NoLog.self, instance: inner)
        #expect((container ~> NoLog.self) === inner)
    }

    @Test func `is wrapped by a decorator that comes later, where it is an instance`() {
        container.register((any Log).self, instance: NoLog()).asDefault()
        #expect(container.log() is NoLog)
        container.decorate((any Log).self) { _, _ in OtherLog() }
        #expect(container.log() is OtherLog)
    }

    @Test func `yields to an override`() {
        container.registerDefault()
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { $0.register((any Log).self) { FileLog() } }) {
                #expect(SpaceValues.current.dependenciesContainer.log() is FileLog)
            }
        }
    }

    @Test func `is validated where it answers, and only there`() throws {
        container.register((any Log).self) { r in try r.require(Int.self) > 0 ? NoLog() : NoLog() }
            .asDefault()
        #expect(problemKinds(of: container) == [.missing])
        container.register((any Log).self) { FileLog() }
        let report = try container.validate()
        #expect(report.unchecked.map(\.reason) == ["it yields to another registration"])
    }

    @Test func `is not validated from its types where it yields, either`() throws {
        container.autoregister((any Log).self) { (_: Int) in NoLog() }.asDefault()
        #expect(problemKinds(of: container) == [.missing])
        container.register((any Log).self) { FileLog() }
        #expect(problemKinds(of: container) == [])
    }

    /// Both have one key.
    @Test func `does not have the needs of the registration to which it yields`() throws {
        container.registerDefault().inObjectScope(.container)
        container.register((any Log).self) { r in
            use(try r.require(Int.self))
            return FileLog()
        }
        container.register(Int.self) { 1 }.inObjectScope(ObjectScope(named: "session"))
        let report = try container.validate()
        let nodes = report.graph.nodes
        let needing = report.graph.edges.compactMap { edge in
            nodes.first { $0.id == edge.from }?.scope
        }
        #expect(needing == ["graph"])
    }

    @Test func `is shown in the container's description`() {
        container.registerDefault()
        #expect(container.description.contains("ObjectScope: graph, Default }"))
    }

    @Test func `of an instance stays as it is when a further key of it is decorated`() {
        container.register((any Log).self, name: "n", instance: FileLog())
            .implements((any Log).self)
            .asDefault()
        container.decorate((any Log).self, name: "n") { _, _ in NoLog() }
        let log = container.log("n")
        container.decorate((any Log).self) { _, _ in OtherLog() }
        #expect(container.log("n") === log)
        #expect(container.log() is OtherLog)
    }

    @Test func `cannot be a contribution`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            Container().contribute((any Log).self) { NoLog() }.asDefault()
        }
        try Golden("a contribution as a default").check(Golden.trap(in: result))
    }
}
