import Depin
import Testing

struct ValidationRuleTests {
    // MARK: - Lives that do not fit

    @Test func `a singleton must not keep what lives shorter`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.visit)
        container.register(Branch.self) { r in Branch(r ~> Leaf.self) }
        container.register(Root.self) { r in Root(r ~> Branch.self) }.inObjectScope(.container)
        let error = try validationError(of: container)
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
            problemKinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Leaf) in Root() }.inObjectScope(.container)
                }
            ) == [.captive]
        )
        #expect(
            problemKinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Lazy<Leaf>) in Root() }.inObjectScope(
                        .container
                    )
                }
            ) == [.captive]
        )
        #expect(
            problemKinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Provider<Leaf>) in Root() }
                        .inObjectScope(.container)
                }
            ) == []
        )
        #expect(
            problemKinds(of: container { $0.autoregister(Root.self) { (_: Leaf) in Root() } }) == []
        )
    }

    @Test func `graph and transient instances are never captives`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Twig.self) { Twig() }.inObjectScope(.transient)
        container.register(Root.self) { r in Root(r ~> Leaf.self, r ~> Twig.self) }
            .inObjectScope(.container)
        #expect(problemKinds(of: container) == [])
    }

    @Test func `a parent's singleton must not keep what is a child's`() throws {
        let parent = Container()
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        parent.register(Root.self) { [unowned child] _ in Root(child ~> Leaf.self) }
            .inObjectScope(.container)
        #expect(problemKinds(of: child) == [.captive])
    }

    @Test func `shared registrations ignore their arguments`() throws {
        let container = Container()
        container.register(Profile.self) { (_, _: Int) in Profile() }.inObjectScope(.container)
        container.register(Leaf.self) { (_, _: Int) in Leaf() }
        let error = try validationError(of: container)
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
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.silentOverwrite])
        #expect(
            error.description.contains("ValidationRuleTests.swift:\(first + 1), in place of")
        )
        #expect(error.description.contains("ValidationRuleTests.swift:\(first)\n"))
        try Golden("validation with a silent overwrite").check("\(error)")
    }

    @Test func `an overwrite that says so is none`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [])
        container.register(Leaf.self) { Leaf() }
        #expect(problemKinds(of: container) == [.silentOverwrite])
        container.unregister(Leaf.self)
        container.register(Leaf.self) { Leaf() }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `a forwarded type is overwritten too`() throws {
        let container = Container()
        container.register((any API).self) { LiveAPI() }
        container.register(LiveAPI.self) { LiveAPI() }.implements((any API).self)
        #expect(problemKinds(of: container) == [.silentOverwrite])
        container.register(LiveAPI.self) { LiveAPI() }.implements((any API).self).overriding()
        #expect(
            problemKinds(of: container) == [.silentOverwrite],
            "the first one is as silent as before"
        )
    }

    @Test func `an override that replaces nothing is told`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [.idleOverride])
        let child = Container(parent: container)
        child.register(Leaf.self) { Leaf() }.overriding()
        #expect(
            problemKinds(of: child) == [.idleOverride],
            "the parent's; the child's overrides that"
        )
    }

    @Test func `a registration after the first use is told, meant or not`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        use(container ~> Leaf.self)
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [.lateOverwrite])
    }

    @Test func `what withSpace overrides is meant`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { $0.register(Leaf.self) { Leaf() } }) {
                #expect(problemKinds(of: SpaceValues.current.dependenciesContainer) == [])
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

private final class Leaf: Sendable {}
private final class Twig: Sendable {}
private final class Branch: Sendable {
    init(_: Any...) {}
}
private final class Root: Sendable {
    init(_: Any...) {}
}

extension ObjectScope {
    fileprivate static let visit = ObjectScope(named: "visit")
}
