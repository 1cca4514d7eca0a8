import Depin
import DepinInspection
import Foundation
import Testing

/// A validation on the main actor runs main-actor factories.
///
/// On the process's main thread they run there, and it cannot be left behind: `MainThreadTests` has what
/// happens then.
@MainActor
struct ValidationMainActorTests {
    private let container = Container()

    // MARK: - Misses

    @Test(.onHandedOverMainThread)
    func `every way to ask for what is missing goes into one error, and the main actor goes on`()
        async throws
    {
        registerAskers()
        container.register(
            Screen.self,
            name: "throws",
            mainActorFactory: { r in Screen(try r.require(Leaf.self)) }
        )
        container.register(Screen.self, name: "fine", mainActorFactory: { Screen() })
        let report = try validationError(of: container).report
        #expect(
            report.problems.map { $0.error?.path.last?.request.name } == [
                "operator", "autoResolve", "property", "throws",
            ]
        )
        #expect(report.problems.allSatisfy { $0.kind == .missing })
        #expect(report.checkedByRunning.count == 5)
        #expect(await Task { @MainActor in Screen().isMade }.value)
        #expect(container.resolve(Screen.self, name: "fine") != nil)
    }

    @Test(.onHandedOverMainThread)
    func `a type that is provided counts as there in every form of asking`() throws {
        registerAskers()
        let report = try container.validate(.init(providing: [Leaf.self]))
        #expect(report.problems.isEmpty)
        #expect(report.graph.edges.count == 3)
        #expect(
            report.unchecked.map(\.reason)
                == Array(repeating: "it needs a service that is provided elsewhere", count: 3)
        )
    }

    //  Product ──► Screen (main actor) ──► Twig ──~> Leaf
    @Test(.onHandedOverMainThread)
    func `a miss under a main-actor factory, and under what needs it, has the whole path`() throws {
        container.register(Product.self) { r in Product(r ~> Screen.self) }
        container.register(Screen.self, mainActorFactory: { r in Screen(r ~> Twig.self) })
        container.register(Twig.self) { r in Twig(r ~> Leaf.self) }
        let problems = try validationError(of: container).problems
        #expect(paths(of: problems) == [["Product", "Screen", "Twig"]])
    }

    //  Screen "outer" (main actor) ──► Product ──► Screen (main actor) ──~> Leaf
    @Test(.onHandedOverMainThread)
    func `a miss of a main-actor factory within a plain one within another has the whole path`()
        throws
    {
        container.register(
            Screen.self,
            name: "outer",
            mainActorFactory: { r in Screen(r ~> Product.self) }
        )
        container.register(Product.self) { r in Product(r ~> Screen.self) }
        container.register(Screen.self, mainActorFactory: { r in Screen(r ~> Leaf.self) })
        let problems = try validationError(of: container).problems
        #expect(paths(of: problems) == [["Screen named \"outer\"", "Product", "Screen"]])
    }

    @Test(.onHandedOverMainThread)
    func `validateAsync notes a miss in a synchronous one`() async throws {
        container.register(Screen.self, mainActorFactory: { r in Screen(r ~> Leaf.self) })
        container.register(Twig.self, asyncFactory: { Twig() })
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        #expect(error?.problems.map(\.kind) == [.missing])
        #expect(error?.report.checkedByRunning.count == 2)
    }

    // MARK: - Where they run

    //  "a": Screen ──► Lazy ──► Screen, by its initializer; "b" the same, after a miss
    @Test(.onHandedOverMainThread)
    func `the main actor is theirs, and their callbacks', also after a miss`() {
        let isolated = EventLog<String>()
        @Sendable func note(_ what: String) {
            MainActor.preconditionIsolated()
            MainActor.assumeIsolated { isolated.note(what) }
        }
        container.register(Twig.self) {
            note("plain")
            return Twig()
        }
        func register(_ name: String) {
            container.register(
                Screen.self,
                name: name,
                mainActorFactory: { r in
                    note(name)
                    return Screen((r ~> (Lazy<Screen>.self, name: "inner \(name)")).instance)
                }
            )
            container.autoregister(
                Screen.self,
                name: "inner \(name)",
                mainActorInitializer: { @MainActor (twig: Twig) in Screen(twig) }
            )
            .initCompleted { _, _ in note("callback \(name)") }
        }
        register("a")
        container.register(Screen.self, mainActorFactory: { r in Screen(r ~> Leaf.self) })
        register("b")
        #expect(problemKinds(of: container) == [.missing])
        #expect(isolated.all == ["plain", "a", "callback a", "b", "callback b"])
    }

    @Test(.onHandedOverMainThread)
    func `a validation that finds nothing runs all factories on one thread`() throws {
        let threads = EventLog<Int>()
        for name in ["a", "b"] {
            container.register(
                Screen.self,
                name: name,
                mainActorFactory: {
                    threads.note(Int(bitPattern: pthread_self()))
                    return Screen()
                }
            )
            container.register(Product.self, name: name) { r in
                threads.note(Int(bitPattern: pthread_self()))
                return Product(try r.require(Screen.self, name: name))
            }
        }
        try container.validate()
        #expect(threads.all.count == 4 && Set(threads.all).count == 1)
    }

    @Test(.onHandedOverMainThread)
    func `they see the caller's task-local values and space, also after a miss`() {
        let seen = EventLog<String>()
        for name in ["a", "b"] {
            container.register(
                Screen.self,
                name: name,
                mainActorFactory: { r in
                    seen.note(CallerMark.text + SpaceValues.current.callerMark)
                    return Screen(r ~> Leaf.self)
                }
            )
        }
        CallerMark.$text.withValue("task ") {
            withSpace(\.callerMark, "space") { _ = try? container.validate() }
        }
        #expect(seen.all == ["task space", "task space"])
    }

    @Test func `a validation within one runs main-actor factories, too`() throws {
        let made = CallCount()
        let inner = Container()
        inner.register(
            Screen.self,
            mainActorFactory: {
                MainActor.preconditionIsolated()
                made.add()
                return Screen()
            }
        )
        container.register(
            Screen.self,
            mainActorFactory: {
                let report = try inner.validate()
                #expect(report.unchecked.isEmpty)
                return Screen()
            }
        )
        try container.validate()
        #expect(made.count == 1)
    }

    @Test(.onHandedOverMainThread)
    func `what one starts goes on on the main actor itself`() async throws {
        let (container, ended) = (container, EventLog<Task<Bool, Never>>())
        container.register(
            Screen.self,
            mainActorFactory: { r in
                let thread = Int(bitPattern: pthread_self())
                let started = Task { @MainActor in
                    MainActor.preconditionIsolated()
                    return Int(bitPattern: pthread_self()) != thread
                }
                ended.note(started)
                return Screen(r ~> Leaf.self)
            }
        )
        #expect(problemKinds(of: container) == [.missing])
        #expect(await ended.all.first?.value == true)
    }

    // MARK: - Paths

    //  Product ──► Leaf, Screen (main actor) ──► Leaf, Twig
    @Test func `a main-actor factory runs on the path of who needs it`() throws {
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        container.register(Product.self) { r in
            #expect(!Thread.isMainThread)
            return Product(r ~> Leaf.self, try r.require(Screen.self))
        }
        container.register(
            Screen.self,
            mainActorFactory: { r in
                MainActor.assertIsolated()
                return Screen(r ~> Leaf.self, try r.require(Twig.self))
            }
        )
        container.register(Other.self) { r in
            _ = try r.require(Product.self)
            return Other()
        }
        #expect(paths(of: try validationError(of: container).problems) == [["Product", "Screen"]])
        #expect(problemKinds(of: container) == [.missing, .mainActor])
    }

    @Test func `a circle through the main actor is found`() {
        container.register(
            Screen.self,
            mainActorFactory: { r in Screen(try r.require(Product.self)) }
        )
        container.register(Product.self) { r in Product(try r.require(Screen.self)) }
        #expect(problemKinds(of: container) == [.circular, .mainActor])
    }

    @Test func `a circle through a callback on the main actor is none`() throws {
        container.register(Product.self) { r in Product(r ~> Screen.self) }
            .inObjectScope(.container)
        container.register(Screen.self, mainActorFactory: { _ in Screen() })
            .inObjectScope(.container)
            .initCompleted { r, _ in use(r ~> Product.self) }
        #expect(problemKinds(of: container) == [.mainActor])
    }

    @Test(arguments: [true, false])
    func `what can await the main actor may need what is made there`(isDecorator: Bool) async throws
    {
        let parent = Container()
        parent.register(Screen.self, mainActorFactory: { _ in Screen() })
        let child = Container(parent: parent)
        if isDecorator {
            parent.register(Product.self) { Product() }
            child.decorate(
                Product.self,
                asyncDecorator: { r, inner in
                    use(try await r.requireAsync(Screen.self))
                    return inner
                }
            )
        } else {
            child.register(
                Product.self,
                asyncFactory: { r in
                    Product(try await r.requireAsync(Screen.self))
                }
            )
        }
        #expect(try await child.validateAsync().problems.isEmpty)
    }

    // MARK: - Help

    /// One for each form of asking for a leaf that can neither return nor throw.
    private func registerAskers() {
        container.register(
            Screen.self,
            name: "operator",
            mainActorFactory: { r in Screen(r ~> Leaf.self) }
        )
        container.register(
            Screen.self,
            name: "autoResolve",
            mainActorFactory: { r in Screen(r.autoResolve() as Leaf) }
        )
        container.register(
            Screen.self,
            name: "property",
            mainActorFactory: { Screen(Injected<Leaf>().wrappedValue) }
        )
    }

    private func paths(of problems: [ValidationReport.Problem]) -> [[String]?] {
        problems.map { $0.error?.path.map { "\($0.request)" } }
    }
}

extension Trait where Self == ConditionTrait {
    /// A program with an asynchronous `main` hands its main thread over on Linux, not on Apple's platforms.
    fileprivate static var onHandedOverMainThread: Self {
        .enabled { await MainActor.run { !Thread.isMainThread } }
    }
}

// MARK: - What is validated

private final class Leaf: Sendable {
    init(_: Any...) {}
}
private final class Twig: Sendable {
    init(_: Any...) {}
}
private final class Product: Sendable {
    init(_: Any...) {}
}
private final class Other: Sendable {}
@MainActor private final class Screen {
    let isMade = true

    init(_: Any...) {}
}
