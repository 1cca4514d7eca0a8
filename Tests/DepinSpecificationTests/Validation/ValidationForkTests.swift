import Depin
import DepinInspection
import Foundation
import Testing

/// What a validation builds, where, and with whose resolver.
struct ValidationForkTests {
    // MARK: - What it leaves alone

    @Test func `nothing is built in any container of the space`() throws {
        let count = CallCount()
        func container() -> Container {
            let container = Container()
            container.register(Leaf.self) {
                count.add()
                return Leaf()
            }
            .inObjectScope(.container)
            return container
        }
        let (app, payments, plain) = (Container(), container(), container())
        app.register(Screen.self) {
            let screen = Screen()
            use((screen.assembled, screen.contained))
            return screen
        }
        try withSpace {
            $0.dependenciesContainer = app
            $0.payments = Assembler(container: payments)
            $0.plain = plain
        } operation: {
            try app.validate()
        }
        #expect(count.count == 2)
        use((payments ~> Leaf.self, plain ~> Leaf.self))
        #expect(count.count == 4, "both are built anew in the containers themselves")
    }

    @Test func `a parent that the space shows is the validated one's`() throws {
        let count = CallCount()
        let parent = Container()
        parent.register(Leaf.self) {
            count.add()
            return Leaf()
        }
        .inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Screen.self) {
            let screen = Screen()
            use((screen.assembled, screen.contained))
            return screen
        }
        try withSpace {
            $0.payments = Assembler(container: parent)
            $0.plain = parent
        } operation: {
            try child.validate()
        }
        #expect(count.count == 1)
        use(parent ~> Leaf.self)
        #expect(count.count == 2)
    }

    @Test func `a factory that validates its own container is not run again for it`() throws {
        let reports = EventLog<String>()
        let container = Container()
        @Sendable func validate(_ container: Container) throws {
            // Without end, it would run out of threads.
            guard reports.all.count < 10 else { return }
            reports.note("begins")
            let report = try container.validate()
            reports.note("\(report.unchecked.map(\.reason))")
        }
        container.register(Leaf.self) { r in
            try validate(r ~> Container.self)
            try validate(Container(parent: r ~> Container.self))
            try validate(container)
            return Leaf()
        }
        let report = try container.validate()
        #expect(report.checkedByRunning.count == 1)
        let skipped = "[\"another validation in progress checks it\"]"
        #expect(reports.all == ["begins", skipped, "begins", skipped, "begins", skipped])
        container.unregister(Leaf.self)
    }

    @Test func `a stand-in may replace a registration, even one that was given out`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        use(container ~> Leaf.self)
        container.register(Twig.self) { fatalError("it opens a file") }
        let report = try container.validate(standIns: { fork in
            fork.register(Leaf.self) { Leaf() }
            fork.register(Twig.self) { Twig() }.overriding()
        })
        #expect(report.problems.isEmpty)
        container.unregister(Twig.self)
        container.register(Leaf.self) { Leaf() }
        #expect(
            problemKinds(of: container) == [.lateOverwrite, .silentOverwrite],
            "what the container itself has replaced is told"
        )
    }

    @Test func `a stand-in replaces a registration where that stands`() throws {
        let parent = Container()
        parent.register(Leaf.self) { fatalError("it opens a file") }
        parent.register(Root.self) { r in
            use(r ~> Leaf.self)
            return Root()
        }
        .inObjectScope(.container)
        let child = Container(parent: parent)
        let report = try child.validate(standIns: { $0.register(Leaf.self) { Leaf() } })
        #expect(report.checkedByRunning.count == 2)
        parent.unregister(Leaf.self)
    }

    // MARK: - Whose resolver

    @Test func `a parent's singleton finds what its parent has, and nothing of the child's`() throws
    {
        let parent = Container()
        parent.autoregister(Branch.self) { (_: Leaf) in Branch() }
        parent.autoregister(Root.self) { (_: Branch) in Root() }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }
        let problem = try #require(try validationError(of: child).problems.first)
        #expect(problem.kind == .missing)
        #expect(throws: ResolutionError.self) { try child.require(Root.self) }
        #expect(throws: Never.self) { try child.require(Branch.self) }

        parent.autoregister(Branch.self) { Branch() }.overriding()
        #expect(problemKinds(of: child) == [])
    }

    @Test func `a parent's declared singleton is checked against the parent`() throws {
        let parent = Container()
        parent.autoregister(Root.self) { (_: Leaf) in Root() }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }
        #expect(problemKinds(of: child) == [.missing])
    }

    @Test func `what a child registers over is not run, and said not to be`() throws {
        let count = CallCount()
        let parent = Container()
        parent.register(Leaf.self) { resolver in
            count.add()
            use(try resolver.require(Twig.self))
            return Leaf()
        }
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }
        let report = try child.validate()
        #expect(count.count == 0)
        #expect(report.checkedByRunning.count == 1)
        #expect(report.unchecked.map(\.reason) == ["a child replaces it"])
    }

    @Test func `what is made on the main actor is not built elsewhere`() async throws {
        let container = Container()
        container.register(Leaf.self, mainActorFactory: { Leaf() })
        let report = try await Task.detached { try container.validate() }.value
        #expect(
            report.unchecked.map(\.reason) == [
                "it is made on the main actor, and this is not the main thread"
            ]
        )
    }

    // MARK: - Depth

    @Test func `a long chain of needs takes no more stack than a short one`() throws {
        let container = Container()
        let types = (0..<400).map(chainedType)
        for (type, need) in zip(types, types.dropFirst()) {
            type.register(in: container, needing: need)
        }
        types.last?.register(in: container)
        let gate = DispatchSemaphore(value: 0)
        let problems = CallCount()
        let thread = Thread {
            problems.add(problemKinds(of: container).count)
            gate.signal()
        }
        thread.stackSize = 1 << 19
        thread.start()
        gate.wait()
        #expect(problems.count == 0)
    }

    // MARK: - What is provided elsewhere

    @Test func `what is provided elsewhere may be asked for later`() throws {
        let container = Container()
        container.register(Root.self) { r in
            use(try r.require(Lazy<Leaf>.self))
            return Root()
        }
        container.register(Branch.self) { r in
            use(try r.require(Provider<Lazy<Twig>>.self))
            return Branch()
        }
        #expect(problemKinds(of: container) == [.missing, .missing])
        #expect(problemKinds(of: container, providing: [Leaf.self, Twig.self]) == [])
        #expect(problemKinds(of: container, providing: [Leaf.self]) == [.missing])
    }
}

// MARK: - What is validated

private final class Leaf: Sendable {}
private final class Twig: Sendable {}
private final class Branch: Sendable {}
private final class Root: Sendable {}

private final class Screen {
    @Injected(assembler: \.payments) var assembled: Leaf
    @Injected(assembler: \.plainAssembler) var contained: Leaf
}

private enum PaymentsKey: SpaceKey {
    static let defaultValue = Assembler()
}

private enum PlainKey: SpaceKey {
    static let defaultValue = Container()
}

extension SpaceValues {
    fileprivate var payments: Assembler {
        get { self[PaymentsKey.self] }
        set { self[PaymentsKey.self] = newValue }
    }

    fileprivate var plain: Container {
        get { self[PlainKey.self] }
        set { self[PlainKey.self] = newValue }
    }

    fileprivate var plainAssembler: Assembler { Assembler(container: plain) }
}
