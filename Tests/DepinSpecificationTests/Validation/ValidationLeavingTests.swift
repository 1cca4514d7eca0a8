import Depin
import DepinInspection
import Foundation
import Testing

/// A factory that can neither return nor throw is left behind, and the validation goes on.
struct ValidationLeavingTests {
    // MARK: - Misses

    @Test func `every way to ask for what is missing goes into one error`() throws {
        let container = Container()
        container.register(Product.self, name: "operator") { r in Product(r ~> Leaf.self) }
        container.register(Product.self, name: "autoResolve") { r in
            Product(r.autoResolve() as Leaf)
        }
        container.register(Product.self, name: "property") { _ in
            Product(Injected<Leaf>().wrappedValue)
        }
        container.register(Product.self, name: "deferred") { r in Product(r ~> Lazy<Leaf>.self) }
        container.register(Product.self, name: "throws") { r in Product(try r.require(Leaf.self)) }
        container.register(Product.self, name: "fine") { Product() }
        let report = try validationError(of: container).report
        #expect(
            report.problems.map { $0.error?.path.last?.request.name } == [
                "operator", "autoResolve", "property", "deferred", "throws",
            ]
        )
        #expect(report.problems.allSatisfy { $0.kind == .missing })
        #expect(report.checkedByRunning.count == 6)
    }

    @Test func `an asynchronous factory that validates another container is not left with it`()
        async throws
    {
        let (count, app, other) = (CallCount(), Container(), Container())
        other.register(Product.self) { r in Product(r ~> Leaf.self) }
        app.register(
            Twig.self,
            asyncFactory: { _ in
                count.add()
                #expect(problemKinds(of: other) == [.missing])
                return Twig()
            }
        )
        .inObjectScope(.container)
        let first = try await app.requireAsync(Twig.self)
        #expect(try await app.requireAsync(Twig.self) === first)
        #expect(count.count == 1)
    }

    @Test func `a circle among factories that ask by the operator is one problem`() {
        let container = Container()
        container.register(Leaf.self) { r in Leaf(r ~> Twig.self) }
        container.register(Twig.self) { r in Twig(r ~> Leaf.self) }
        container.register(Product.self) { r in Product(r ~> Leaf.self) }
        #expect(problemKinds(of: container) == [.circular])
    }

    @Test func `a factory that throws is told when it is requested by the operator`() {
        struct Failure: Error {}
        let container = Container()
        container.register(Leaf.self) { throw Failure() }
        container.register(Product.self) { r in Product(r ~> Leaf.self) }
        #expect(problemKinds(of: container) == [.failed])
    }

    @Test func `what needs a factory that was left behind is not built, and is no further problem`()
        throws
    {
        let (count, container) = (CallCount(), Container())
        container.register(Twig.self) { r in
            count.add()
            return Twig(r ~> Leaf.self)
        }
        .inObjectScope(.container)
        container.register(Product.self, name: "operator") { r in Product(r ~> Twig.self) }
        container.register(Product.self, name: "throws") { r in
            Product(
                #expect(throws: ResolutionError.self) { try r.require(Twig.self) } as Any
            )
        }
        let problems = try validationError(of: container).problems
        #expect(problems.map { "\($0.error?.request as Any)" } == ["Optional(Leaf)"])
        #expect(count.count == 1)
    }

    @Test func `the miss of another container's factory is told with the whole path`() throws {
        let other = Container()
        other.register(Twig.self) { r in Twig(r ~> Leaf.self) }
        let container = Container()
        container.register(Product.self) { Product(other ~> Twig.self) }
        let problems = try validationError(of: container).problems
        let path = problems.first?.error?.path.map { "\($0.request)" }
        #expect(path == ["Product", "Twig"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `another container closes whose factory was left behind`() async throws {
        let (app, other) = (Container(), Container())
        other.register(Twig.self) { r in Twig(r ~> Leaf.self) }
        app.register(Product.self) { Product(other ~> Twig.self) }
        #expect(problemKinds(of: app) == [.missing])
        try await inTime { try await other.close() }
    }

    @Test func `kinds that are ignored are not told, whichever way they are met`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Product.self) { r in Product(r ~> Leaf.self) }
            try container.validate(.init(ignoring: [.missing]))
        }
        #expect(result?.standardErrorContent == [])
    }

    // MARK: - Threads

    @Test func `a validation that finds nothing runs on one thread, another goes on after a miss`()
        throws
    {
        func validate(missing: Bool) throws -> [Int] {
            let threads = EventLog<Int>()
            let container = Container()
            for name in ["a", "b", "c"] {
                container.register(Product.self, name: name) { r in
                    threads.note(Int(bitPattern: pthread_self()))
                    return missing && name == "b" ? Product(r ~> Leaf.self) : Product()
                }
            }
            _ = try? container.validate()
            return threads.all
        }
        let fine = try validate(missing: false)
        #expect(fine.count == 3 && Set(fine).count == 1)
        let left = try validate(missing: true)
        #expect(left.count == 3 && left[0] == left[1] && left[1] != left[2])
    }

    @Test func `factories see the caller's task-local values`() throws {
        let seen = EventLog<String>()
        let container = Container()
        for name in ["a", "b"] {
            container.register(Product.self, name: name) { r in
                seen.note(CallerMark.text + SpaceValues.current.callerMark)
                return Product(r ~> Leaf.self)
            }
        }
        CallerMark.$text.withValue("task ") {
            withSpace(\.callerMark, "space") { _ = try? container.validate() }
        }
        #expect(seen.all == ["task space", "task space"])
    }

    @Test func `what was found is told before the rest waits for what a factory holds`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let (lock, container) = (NSLock(), Container())
            container.register(Leaf.self, name: "twice") { Leaf() }
            container.register(Leaf.self, name: "twice") { Leaf() }
            container.register(Twig.self) { r in
                lock.lock()
                return Twig(r ~> Leaf.self)
            }
            container.register(Product.self) {
                // Here it would wait for ever.
                exit(lock.try() ? EXIT_FAILURE : EXIT_SUCCESS)
            }
            try container.validate()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("registered twice"))
        #expect(text.contains("nothing is registered for Leaf"))
    }

    @Test func `who waits for what was being built on a thread that is left behind goes on`() {
        let (hasBegun, hasEnded) = (Latch(), Latch())
        let container = Container()
        let outcome = EventLog<String>()
        container.register(Twig.self) { r in
            let work = Work {
                hasBegun.open()
                do {
                    try use(r.require(Twig.self))
                    outcome.note("built")
                } catch {
                    outcome.note("\((error as? ResolutionError)?.reason as Any)")
                }
                hasEnded.open()
            }
            use(work)
            hasBegun.wait()
            return Twig(r ~> Leaf.self)
        }
        .inObjectScope(.container)
        // The validation does not end before.
        container.register(Product.self) {
            #expect(hasEnded.wait())
            return Product()
        }
        #expect(problemKinds(of: container) == [.missing])
        #expect(outcome.all == ["Optional(notRegistered)"])
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
