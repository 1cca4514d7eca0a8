import Depin
import DepinInspection
import Foundation
import Testing

struct ValidationTests {
    // MARK: - What it does and what it leaves alone

    @Test func `builds everything once, and nothing in the container itself`() throws {
        let count = Counter()
        let container = Container()
        container.register(Leaf.self) {
            count.add()
            return Leaf()
        }.inObjectScope(.container)
        container.register(Branch.self) { r in
            count.add()
            return Branch(r ~> Leaf.self, r ~> Lazy<Leaf>.self, r ~> Twig.self)
        }.inObjectScope(.transient).implements(AnyObject.self)
        container.register(Twig.self) {
            count.add()
            return Twig()
        }.inObjectScope(.transient)
        container.register(Root.self) { r in
            count.add()
            return Root(r ~> Branch.self, r ~> Branch.self, r ~> Twig.self)
        }
        let report = try container.validate()
        #expect(report.problems.isEmpty)
        #expect(count.value == 4)
        use(container ~> Leaf.self)
        #expect(count.value == 5, "a singleton of the container is still to be built")
    }

    @Test func `keeps nothing alive`() throws {
        let sink = Sink()
        let container = Container()
        container.register(Leaf.self) {
            let leaf = Leaf()
            sink.object = leaf
            return leaf
        }.inObjectScope(.container)
        try container.validate()
        #expect(sink.object == nil)
    }

    @Test func `the properties of what it builds ask the fork`() throws {
        let count = Counter()
        let container = Container()
        container.register(Leaf.self) {
            count.add()
            return Leaf()
        }.inObjectScope(.container)
        container.register(Screen.self) {
            let screen = Screen()
            use(screen.leaf)
            return screen
        }
        let app = Container()
        try withSpace(\.dependenciesContainer, app) {
            try container.validate()
        }
        #expect(count.value == 1)
        try withSpace(\.dependenciesContainer, container) {
            try container.validate()
        }
        #expect(count.value == 2)
    }

    @Test func `another container of the space is validated without touching the app's`() throws {
        let count = Counter()
        let app = Container()
        app.register(Leaf.self) {
            count.add()
            return Leaf()
        }.inObjectScope(.container)
        let payments = Container()
        payments.register(Screen.self) {
            let screen = Screen()
            use(screen.leaf)
            return screen
        }
        try withSpace {
            $0.dependenciesContainer = app
            $0.paymentsAssembler = Assembler(container: payments)
        } operation: {
            try payments.validate()
        }
        #expect(count.value == 1)
        use(app ~> Leaf.self)
        #expect(count.value == 2)
    }

    @Test func `says what it knew from types, what from running, and what not`() throws {
        let container = Container()
        container.autoregister(Branch.self) { (leaf: Leaf) in Branch(leaf) }
        container.register(Leaf.self, instance: Leaf())
        container.register(Twig.self) { Twig() }
        container.register(Profile.self) { (_, _: Int) in Profile() }
        container.autoregister(Root.self, argument: Int.self) { (_: Int, leaf: Leaf) in Root(leaf) }
        let report = try container.validate()
        #expect(
            report.checkedByTypes.map { "\($0.request)" } == ["Branch", "Leaf", "Root with (Int)"]
        )
        #expect(report.checkedByRunning.map { "\($0.request)" } == ["Twig"])
        #expect(
            report.unchecked.map { "\($0.registration.request): \($0.reason)" } == [
                "Profile with (Int): it takes runtime arguments"
            ]
        )
    }

    @Test func `a thousand services are checked by their types, then built once each`() throws {
        let (count, container) = (Counter(), Container())
        container.register(Leaf.self) { Leaf() }
        for index in 0..<1000 {
            container.autoregister(Branch.self, name: "\(index)") { (leaf: Leaf) in
                Branch(leaf, count.add())
            }
        }
        let report = try container.validate()
        #expect(report.checkedByTypes.count == 1000)
        #expect(report.checkedByRunning.count == 1 && count.value == 1000)
    }

    // MARK: - Missing

    @Test func `a declared need is found without running anything`() throws {
        let count = Counter()
        let container = Container()
        container.autoregister(Branch.self) { (leaf: Leaf) in
            count.add()
            return Branch(leaf)
        }
        container.autoregister(Root.self) { (branch: Branch) in
            count.add()
            return Root(branch)
        }
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.missing])
        #expect(error.problems[0].error?.request.serviceType == Leaf.self)
        #expect(count.value == 0)
    }

    @Test func `what may be missing is no problem`() throws {
        let container = Container()
        container.autoregister(Branch.self) { (_: Leaf?, _: Lazy<Leaf>?, _: Container) in
            Branch()
        }
        container.register(Root.self) { r in Root(r.resolve(Twig.self) as Any) }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `every miss of a throwing factory is told at once`() throws {
        let container = Container()
        container.register(Branch.self) { r in Branch(try r.require(Leaf.self)) }
        container.register(Root.self) { r in Root(try r.require(Twig.self)) }
        container.register(Screen.self) { r in
            try use(r.require(Branch.self))
            return Screen()
        }
        container.autoregister(Profile.self) { (_: Sink) in Profile() }
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.missing, .missing, .missing])
        try Golden("validation with several problems").check("\(error)")
    }

    @Test func `a miss that can neither be returned nor thrown is told with all others`() throws {
        let container = Container()
        container.register(Branch.self) { r in Branch(try r.require(Leaf.self)) }
        container.autoregister(Profile.self) { (_: Sink) in Profile() }
        container.register(Root.self) { r in Root(r ~> Twig.self) }
        try Golden("validation that leaves a factory").check("\(validationError(of: container))")
    }

    @Test func `a miss that is force-unwrapped is told before the program stops`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Root.self) { r in Root(r.resolve(Twig.self)!) }
            try container.validate()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let account = try #require(
            text.range(of: "Depin, validating: nothing is registered for Twig")
        )
        // Where it is optimized, `!` stops the program without a word.
        let crash = text.range(of: "Unexpectedly found nil")?.lowerBound ?? text.endIndex
        #expect(account.lowerBound < crash)
        #expect(text.contains("Root, registered at DepinSpecificationTests/ValidationTests.swift"))
    }

    @Test func `types that are provided elsewhere are not missing`() throws {
        let container = Container()
        container.autoregister(Branch.self) { (leaf: Leaf) in Branch(leaf) }
        container.autoregister(Root.self) { (branch: Branch) in Root(branch) }
        container.register(Twig.self) { r in
            try use(r.require(Leaf.self))
            return Twig()
        }
        #expect(problemKinds(of: container) == [.missing, .missing])
        let report = try container.validate(.init(providing: [Leaf.self]))
        #expect(report.checkedByTypes.count == 2)
        #expect(report.unchecked.map(\.reason) == ["it needs a service that is provided elsewhere"])
    }

    @Test func `stand-ins are registered for the validation only`() throws {
        let container = Container()
        container.register(Root.self) { r in Root(r ~> Leaf.self) }
        try container.validate(standIns: { $0.register(Leaf.self) { Leaf() } })
        #expect(container.resolve(Leaf.self) == nil)
    }

    @Test func `a child is validated with its parent's registrations and its own resolver`() throws
    {
        let parent = Container()
        parent.register(Root.self) { r in Root(try r.require(Leaf.self)) }
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }
        #expect(problemKinds(of: parent) == [.missing])
        #expect(problemKinds(of: child) == [])
    }

    // MARK: - Circles and failures

    @Test func `a circle is found from types, and in running factories, once`() throws {
        let declared = Container()
        declared.autoregister(Branch.self) { (_: Twig) in Branch() }
        declared.autoregister(Twig.self) { (_: Branch) in Twig() }
        declared.autoregister(Root.self) { (_: Branch) in Root() }
        let problems = try validationError(of: declared).problems
        #expect(problems.count == 1)
        #expect(
            problems[0].description.hasPrefix("circular dependency: Branch → Twig → Branch\n")
        )
        let handwritten = Container()
        handwritten.register(Branch.self) { r in Branch(try r.require(Twig.self)) }
        handwritten.register(Twig.self) { r in
            try use(r.require(Branch.self))
            return Twig()
        }
        #expect(problemKinds(of: handwritten) == [.circular])
    }

    @Test func `a circle through a callback is none`() throws {
        let container = Container()
        container.register(Branch.self) { r in Branch(r ~> Sink.self) }
        container.register(Sink.self) { Sink() }.initCompleted { r, sink in
            let branch = r ~> Branch.self
            sink.object = branch
        }
        #expect(problemKinds(of: container) == [])
        #expect(container.dependencyGraph().nodes.flatMap(\.problems).isEmpty)
    }

    @Test func `a factory that throws is told, and the others go on`() throws {
        let container = Container()
        container.register(Leaf.self) { throw OutOfDisk() }
        container.register(Root.self) { r in Root(try r.require(Twig.self)) }
        #expect(problemKinds(of: container) == [.failed, .missing])
    }

    @Test func `a forwarded type to which the product does not conform is told`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.implements((any API).self)
        #expect(problemKinds(of: container) == [.forwardMismatch])
    }
}

// MARK: - What is validated

private final class Leaf: Sendable {}
private final class Twig: Sendable {}
private final class Branch: Sendable {
    init(_: Any...) {}
}
private final class Root: Sendable {
    init(_: Any...) {}
}
private final class Sink: @unchecked Sendable {
    weak var object: AnyObject?
}
private final class Screen {
    @Injected var leaf: Leaf
}

private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
}
