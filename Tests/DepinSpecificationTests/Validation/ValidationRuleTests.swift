import Depin
import DepinInspection
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

    @Test(arguments: [(ObjectScope.weak, []), (.visit, [ValidationReport.Kind.captive])])
    func `scopes that are reset make captives, a Provider and a weak scope do not`(
        scope: ObjectScope,
        expected: [ValidationReport.Kind]
    ) throws {
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
            ) == expected
        )
        #expect(
            problemKinds(
                of: container {
                    $0.autoregister(Root.self) { (_: Lazy<Leaf>) in Root() }.inObjectScope(
                        .container
                    )
                }
            ) == expected
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

    // MARK: - Children

    @Test func `a child that hides a registration in another scope is told`() throws {
        let parent = Container()
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        parent.register(Twig.self) { Twig() }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }
        child.register(Twig.self) { Twig() }.inObjectScope(.container)
        let report = try child.validate()
        #expect(report.problems.map(\.kind) == [.shadowedScope])
        #expect(report.problems[0].severity == .warning)
        try Golden("validation with a hidden scope").check("\(report)")
    }

    @Test func `a child may hide a default of another scope`() throws {
        let parent = Container()
        parent.register(Leaf.self) { Leaf() }.asDefault()
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        #expect(try child.validate().problems.isEmpty)
    }

    @Test func `a child that says so may hide a scope, and so may a stand-in`() throws {
        let parent = Container()
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: child) == [])
        parent.register(AnyObject.self) { Leaf() }
        child.register(Twig.self) { Twig() }.inObjectScope(.container)
            .implements(AnyObject.self).overriding()
        #expect(problemKinds(of: child) == [])
        let other = Container(parent: parent)
        let report = try other.validate(standIns: { $0.register(Leaf.self) { Leaf() } })
        #expect(report.problems.isEmpty)
    }

    @Test func `a child that shares nothing is worth a hint`() throws {
        let parent = Container()
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }
        child.register(Twig.self) { Twig() }
        let report = try child.validate()
        #expect(report.problems.map(\.kind) == [.unsharedChild])
        #expect(report.problems[0].severity == .hint && report.errors.isEmpty)
        try Golden("validation of a child that shares nothing").check("\(report)")
        child.register(Branch.self) { Branch() }.inObjectScope(.container)
        #expect(problemKinds(of: child) == [])
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
        let error = try validationError(of: child)
        #expect(error.problems.map(\.kind) == [.captive])
        #expect("\(error)".contains("keeps Leaf of scope container of a child container"))
    }

    @Test func `shared registrations ignore their arguments`() throws {
        let container = Container()
        container.register(Profile.self) { (_, _: Int) in Profile() }.inObjectScope(.container)
        container.register(Leaf.self) { (_, _: Int) in Leaf() }
        let report = try container.validate()
        #expect(report.problems.map(\.kind) == [.ignoredArguments])
        #expect(report.problems[0].severity == .warning)
        try Golden("validation with ignored arguments").check("\(report)")
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

    @Test func `types that share a name are told apart`() throws {
        let container = Container()
        container.register(Shop.Item.self) { Shop.Item() }.inObjectScope(.visit)
        container.register(News.Item.self) { r in
            use(r ~> Shop.Item.self)
            return News.Item()
        }
        .inObjectScope(.container)
        let text = try validationError(of: container).description
        #expect(text.contains("News.Item, shared in scope container, keeps"))
        #expect(text.contains("Shop.Item of scope visit"))
        #expect(text.contains("Shop.Item>, or give both"))
    }

    @Test func `of several needs the plainest counts`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.visit)
        container.register(Root.self) { r in
            use((try r.require(Provider<Leaf>.self), try r.require(Lazy<Leaf>.self)))
            return Root(try r.require(Leaf.self), try r.require(Provider<Leaf>.self))
        }
        .inObjectScope(.container)
        let report = try validationError(of: container).report
        #expect(report.problems.map(\.kind) == [.captive])
        #expect(report.graph.edges.map(\.isDeferred) == [false])
    }

    @Test func `what is registered anew no longer needs what it needed`() throws {
        let parent = Container()
        let container = Container(parent: parent)
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.visit)
        parent.register(Root.self) { r in Root(r ~> Leaf.self) }.inObjectScope(.container)
        #expect(problemKinds(of: container) == [.captive])
        parent.register(Root.self) { Root() }.inObjectScope(.container).overriding()
        #expect(problemKinds(of: container) == [])
        parent.register(Root.self) { r in Root(r ~> Leaf.self) }.overriding()
        #expect(problemKinds(of: container) == [])
    }

    // MARK: - Circles

    @Test func `every circle of a group is told`() throws {
        let container = Container()
        container.autoregister(Leaf.self) { (_: Twig, _: Root) in Leaf() }
        container.autoregister(Twig.self) { (_: Leaf) in Twig() }
        container.autoregister(Root.self) { (_: Leaf) in Root() }
        let problems = try validationError(of: container).problems
        #expect(problems.map(\.kind) == [.circular, .circular])
        let paths = problems.compactMap(\.error?.path).map { path in
            Set(path.map { "\($0.request)" })
        }
        #expect(Set(paths) == [["Leaf", "Twig"], ["Leaf", "Root"]])
    }

    @Test func `a recursion that ends is no circle`() throws {
        let container = Container()
        container.register(Leaf.self) { (r, depth: Int) in
            if depth > 0 { use(try r.require(Leaf.self, argument: depth - 1)) }
            return Leaf()
        }
        container.register(Root.self) { r in Root(try r.require(Leaf.self, argument: 3)) }
        #expect(problemKinds(of: container) == [])
        #expect(container.dependencyGraph().nodes.flatMap(\.problems).isEmpty)
        container.register(Twig.self) { (r, depth: Int) in
            use(try r.require(Twig.self, argument: depth + 1))
            return Twig()
        }
        container.register(Branch.self) { r in Branch(try r.require(Twig.self, argument: 0)) }
        #expect(problemKinds(of: container) == [.circular])
    }

    // MARK: - Severities

    @Test func `severities are chosen by kind`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }
        let report = try container.validate(.init(severities: [.silentOverwrite: .warning]))
        #expect(report.problems.map(\.severity) == [.warning])
        #expect(try container.validate(.init(ignoring: [.silentOverwrite])).problems.isEmpty)
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
