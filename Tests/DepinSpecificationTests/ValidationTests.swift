import Depin
import Foundation
import Testing

struct ValidationTests {
    typealias Kind = ValidationReport.Kind

    private func kinds(
        of container: Container,
        providing: [Any.Type] = [],
        severities: [Kind: ValidationReport.Severity] = [:]
    ) -> [Kind] {
        do {
            return try container.validate(providing: providing, severities: severities)
                .problems.map(\.kind)
        } catch let error as ValidationError {
            return error.report.problems.map(\.kind)
        } catch {
            Issue.record(error)
            return []
        }
    }

    private func error(of container: Container) throws -> ValidationError {
        try #require(throws: ValidationError.self) { try container.validate() }
    }

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

    @Test func `checks a thousand services by their types and runs none of them`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        for index in 0..<1000 {
            container.autoregister(Branch.self, name: "\(index)") { (leaf: Leaf) in Branch(leaf) }
        }
        let report = try container.validate()
        #expect(report.checkedByTypes.count == 1000)
        #expect(report.checkedByRunning.count == 1)
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
        let error = try error(of: container)
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
        #expect(kinds(of: container) == [])
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
        let error = try error(of: container)
        #expect(error.problems.map(\.kind) == [.missing, .missing, .missing])
        try Golden("validation with several problems").check("\(error)")
    }

    @Test func `a miss that traps tells all that was found before`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Branch.self) { r in Branch(try r.require(Leaf.self)) }
            container.autoregister(Profile.self) { (_: Sink) in Profile() }
            container.register(Root.self) { r in Root(r ~> Twig.self) }
            try container.validate()
        }
        try Golden("validation that traps").check(Golden.trap(in: result))
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
        // Where it is optimised, `!` stops the program without a word.
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
        #expect(kinds(of: container) == [.missing, .missing])
        let report = try container.validate(providing: [Leaf.self])
        #expect(report.checkedByTypes.count == 2)
        #expect(report.unchecked.map(\.reason) == ["it needs what is provided elsewhere"])
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
        #expect(kinds(of: parent) == [.missing])
        #expect(kinds(of: child) == [])
    }

    // MARK: - Circles and failures

    @Test func `a circle is found from types, and in running factories, once`() throws {
        let declared = Container()
        declared.autoregister(Branch.self) { (_: Twig) in Branch() }
        declared.autoregister(Twig.self) { (_: Branch) in Twig() }
        declared.autoregister(Root.self) { (_: Branch) in Root() }
        let problems = try error(of: declared).problems
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
        #expect(kinds(of: handwritten) == [.circular])
    }

    @Test func `a circle through a callback is none`() throws {
        let container = Container()
        container.register(Branch.self) { r in Branch(r ~> Sink.self) }
        container.register(Sink.self) { Sink() }.initCompleted { r, sink in
            let branch = r ~> Branch.self
            sink.object = branch
        }
        #expect(kinds(of: container) == [])
        #expect(container.dependencyGraph().nodes.flatMap(\.problems).isEmpty)
    }

    @Test func `a factory that throws is told, and the others go on`() throws {
        let container = Container()
        container.register(Leaf.self) { throw OutOfDisk() }
        container.register(Root.self) { r in Root(try r.require(Twig.self)) }
        #expect(kinds(of: container) == [.failed, .missing])
    }

    @Test func `a forwarded type to which the product does not conform is told`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.implements((any API).self)
        #expect(kinds(of: container) == [.forwardMismatch])
    }

    // MARK: - Lives that do not fit

    @Test func `a singleton must not keep what lives shorter`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.visit)
        container.register(Branch.self) { r in Branch(r ~> Leaf.self) }
        container.register(Root.self) { r in Root(r ~> Branch.self) }.inObjectScope(.container)
        let error = try error(of: container)
        #expect(error.problems.map(\.kind) == [.captive])
        try Golden("validation with a captive").check("\(error)")
    }

    @Test(arguments: [ObjectScope.weak, .visit])
    func `cached scopes make captives, a Provider does not`(scope: ObjectScope) throws {
        func container(_ register: (Container) -> Void) -> Container {
            let container = Container()
            container.register(Leaf.self) { Leaf() }.inObjectScope(scope)
            register(container)
            return container
        }
        #expect(
            kinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Leaf) in Root() }.inObjectScope(.container)
                }
            ) == [.captive]
        )
        #expect(
            kinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Lazy<Leaf>) in Root() }.inObjectScope(
                        .container
                    )
                }
            ) == [.captive]
        )
        #expect(
            kinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Provider<Leaf>) in Root() }
                        .inObjectScope(.container)
                }
            ) == []
        )
        #expect(kinds(of: container { $0.autoregister(Root.self) { (_: Leaf) in Root() } }) == [])
    }

    @Test func `graph and transient instances are never captives`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Twig.self) { Twig() }.inObjectScope(.transient)
        container.register(Root.self) { r in Root(r ~> Leaf.self, r ~> Twig.self) }
            .inObjectScope(.container)
        #expect(kinds(of: container) == [])
    }

    @Test func `a parent's singleton must not keep what is a child's`() throws {
        let parent = Container()
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        parent.register(Root.self) { [unowned child] _ in Root(child ~> Leaf.self) }
            .inObjectScope(.container)
        #expect(kinds(of: child) == [.captive])
    }

    @Test func `shared registrations ignore their arguments`() throws {
        let container = Container()
        container.register(Profile.self) { (_, _: Int) in Profile() }.inObjectScope(.container)
        container.register(Leaf.self) { (_, _: Int) in Leaf() }
        let error = try error(of: container)
        #expect(error.problems.map(\.kind) == [.ignoredArguments])
        try Golden("validation with ignored arguments").check("\(error)")
    }

    @Test @MainActor func `what needs a main-actor service is told to say so itself`() throws {
        let container = Container()
        container.register(Leaf.self, mainActorFactory: { Leaf() })
        container.register(Root.self) { r in Root(r ~> Leaf.self) }
        container.autoregister(Branch.self, mainActorInitializer: { (leaf: Leaf) in Branch(leaf) })
        let report = try container.validate()
        #expect(report.problems.map(\.kind) == [.mainActor])
        #expect(report.problems[0].severity == .warning)
        try Golden("validation with a main-actor need").check("\(report)")
    }

    // MARK: - Overwrites

    @Test func `a silent overwrite is told with both places`() throws {
        let container = Container()
        let first = #line + 1
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self, name: "other") { Leaf() }
        let error = try error(of: container)
        #expect(error.problems.map(\.kind) == [.silentOverwrite])
        #expect(error.description.contains("ValidationTests.swift:\(first + 1), in place of"))
        #expect(error.description.contains("ValidationTests.swift:\(first)\n"))
        try Golden("validation with a silent overwrite").check("\(error)")
    }

    @Test func `an overwrite that says so is none`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(kinds(of: container) == [])
        container.register(Leaf.self) { Leaf() }
        #expect(kinds(of: container) == [.silentOverwrite])
        container.unregister(Leaf.self)
        container.register(Leaf.self) { Leaf() }
        #expect(kinds(of: container) == [])
    }

    @Test func `a forwarded type is overwritten too`() throws {
        let container = Container()
        container.register((any API).self) { LiveAPI() }
        container.register(LiveAPI.self) { LiveAPI() }.implements((any API).self)
        #expect(kinds(of: container) == [.silentOverwrite])
        container.register(LiveAPI.self) { LiveAPI() }.implements((any API).self).overriding()
        #expect(kinds(of: container) == [.silentOverwrite], "the first one is as silent as before")
    }

    @Test func `an override that replaces nothing is told`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(kinds(of: container) == [.idleOverride])
        let child = Container(parent: container)
        child.register(Leaf.self) { Leaf() }.overriding()
        #expect(kinds(of: child) == [.idleOverride], "the parent's; the child's overrides that")
    }

    @Test func `a registration after the first use is told, meant or not`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        use(container ~> Leaf.self)
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(kinds(of: container) == [.lateOverwrite])
    }

    @Test func `what withSpace overrides is meant`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { $0.register(Leaf.self) { Leaf() } }) {
                #expect(kinds(of: SpaceValues.current.dependenciesContainer) == [])
            }
        }
    }

    // MARK: - Severities

    @Test func `severities are chosen by kind`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }
        let report = try container.validate(severities: [.silentOverwrite: .warning])
        #expect(report.problems.map(\.severity) == [.warning])
        #expect(try container.validate(severities: [.silentOverwrite: .ignored]).problems.isEmpty)
        #expect(throws: ValidationError.self) {
            try Assembler(container: container).validate()
        }
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

extension ObjectScope {
    fileprivate static let visit = ObjectScope(named: "visit")
}
