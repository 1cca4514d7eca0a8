@testable import Depin

/// What the shared services of a small world need, and what the workers ask for.
struct LedgerProgram: CustomStringConvertible {
    struct Service: Hashable {
        /// Needed by the factory, in this order.
        var factory: [Int] = []
        /// Needed by `initCompleted`.
        var completion: [Int] = []
        /// The factory throws after it has got what it needs.
        var fails = false
    }

    var services: [Service]
    /// For each worker the services that it asks for, one after the other.
    var workers: [[Int]]
    /// How often the first service is reset, at any time.
    var resets = 0

    var description: String {
        let services = services.enumerated().map { index, service in
            "\(index): \(service.factory) then \(service.completion)\(service.fails ? " fails" : "")"
        }
        return "services {\(services.joined(separator: "; "))} workers \(workers) resets \(resets)"
    }
}

/// Runs a program in every order in which its workers can take their steps, without any thread.
///
/// A worker is a stack of frames, as a thread that resolves is. It takes the steps that
/// `ContainerCore.share` takes, each of them at once, with any step of the others in between.
struct LedgerExplorer {
    struct Product: Hashable {
        let service: Int
        let generation: UInt32
        let builder: Int
        let number: Int
    }

    struct Subject: Hashable {
        let service: Int
        let generation: UInt32
    }

    enum Phase: Hashable {
        /// Before the look at what the entry keeps.
        case looking
        /// Between that look and the request.
        case asking(Subject)
        case waiting(Subject)
        /// Told to build, before the second look.
        case starting(Subject)
        case constructing(Subject, next: Int)
        case completing(Subject, next: Int)
        case failing(Subject)
    }

    struct Frame: Hashable {
        let service: Int
        var phase = Phase.looking
        var product: Product?
    }

    struct Worker: Hashable {
        var roots: ArraySlice<Int>
        var frames: [Frame] = []
        var built = 0
    }

    struct World: Hashable {
        var ledger = ConstructionLedger<Subject, Int, Product>()
        var workers: [Worker]
        var generations: [UInt32]
        var kept: [Product?]
        var resets: Int
        // What the invariants are judged by.
        var builders: [Subject: [Int]] = [:]
        var constructed: [Subject: Product] = [:]
        var completed: Set<Subject> = []
    }

    let program: LedgerProgram
    private(set) var states = 0
    private(set) var endings: Set<String> = []
    private(set) var violation: String?
    /// What happened anywhere: so that a test can see that its case did come up.
    private(set) var seen: Set<String> = []
    private var visited: Set<World> = []

    init(_ program: LedgerProgram) {
        self.program = program
    }

    mutating func run() {
        let count = program.services.count
        var stack = [
            World(
                workers: program.workers.map { Worker(roots: $0[...]) },
                generations: Array(repeating: 0, count: count),
                kept: Array(repeating: nil, count: count),
                resets: program.resets
            )
        ]
        while let world = stack.popLast() {
            guard violation == nil else { return }
            guard visited.insert(world).inserted else { continue }
            var next: [World] = []
            for worker in world.workers.indices {
                if let after = step(worker, in: world) { next.append(after) }
            }
            if next.isEmpty {
                finish(world)
            }
            if world.resets > 0, world.workers.contains(where: { !$0.isDone }) {
                var after = world
                after.resets -= 1
                after.generations[0] += 1
                after.kept[0] = nil
                next.append(after)
            }
            stack += next
        }
        states = visited.count
    }

    private mutating func finish(_ world: World) {
        if world.workers.contains(where: { !$0.isDone }) {
            violation = "nobody can go on: \(world.workers.map(\.frames))"
        } else if !world.ledger.isIdle {
            violation = "the ledger is not idle at the end"
        }
    }

    private mutating func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition, violation == nil { violation = text() }
    }

    // MARK: - Steps

    /// The world after a worker's next step, or nil when it waits or has done all.
    private mutating func step(_ index: Int, in world: World) -> World? {
        var world = world
        guard let frame = world.workers[index].frames.last else {
            guard let root = world.workers[index].roots.popFirst() else { return nil }
            world.workers[index].frames = [Frame(service: root)]
            return world
        }
        switch frame.phase {
        case .looking:
            look(frame, index, &world)
        case .asking(let subject):
            ask(subject, index, &world)
        case .waiting(let subject):
            guard let outcome = world.ledger.outcome(for: index) else { return nil }
            switch outcome {
            case .product(let product): take(product, subject, index, &world)
            case .abandoned: world.workers[index].phase = .asking(subject)
            }
        case .starting(let subject):
            start(subject, index, &world)
        case .constructing(let subject, let next):
            let service = program.services[frame.service]
            if next < service.factory.count {
                world.workers[index].phase = .constructing(subject, next: next + 1)
                world.workers[index].frames.append(Frame(service: service.factory[next]))
            } else if service.fails {
                world.workers[index].phase = .failing(subject)
            } else {
                construct(subject, index, &world)
            }
        case .completing(let subject, let next):
            let needs = program.services[frame.service].completion
            if next < needs.count {
                world.workers[index].phase = .completing(subject, next: next + 1)
                world.workers[index].frames.append(Frame(service: needs[next]))
            } else {
                complete(subject, index, &world)
            }
        case .failing(let subject):
            world.ledger.abandon(subject)
            stopBuilding(subject, index, &world)
            fail(index, &world)
        }
        return world
    }

    private mutating func look(_ frame: Frame, _ index: Int, _ world: inout World) {
        let outer = world.workers[index].frames.dropLast()
        if outer.contains(where: { $0.service == frame.service && $0.product != nil }) {
            seen.insert("own product")
            return pop(index, &world)
        }
        var hasCompleted = false
        for step in outer.reversed() {
            if case .completing = step.phase { hasCompleted = true }
            if step.service == frame.service, !hasCompleted {
                seen.insert("circular path")
                return fail(index, &world)
            }
        }
        // Who builds it already goes on with the generation that was begun.
        let begun = outer.last { $0.service == frame.service }?.subject
        if begun == nil, world.kept[frame.service] != nil {
            return pop(index, &world)
        }
        let current = Subject(
            service: frame.service,
            generation: world.generations[frame.service]
        )
        world.workers[index].phase = .asking(begun ?? current)
    }

    private mutating func ask(_ subject: Subject, _ index: Int, _ world: inout World) {
        let circle = circle(from: index, needing: subject, in: world)
        let before = world
        switch world.ledger.request(subject, by: index) {
        case .build:
            let builders = world.builders[subject, default: []]
            expect(builders.allSatisfy { $0 == index }, "two build \(subject)")
            if !builders.isEmpty { seen.insert("re-entry") }
            world.builders[subject, default: []].append(index)
            world.workers[index].phase = .starting(subject)
        case .take(let product):
            if !world.completed.contains(subject) {
                expect(!circle.isEmpty, "an incomplete product without need: \(product)")
                seen.insert("incomplete taken")
            }
            take(product, subject, index, &world)
        case .wait:
            world.workers[index].phase = .waiting(subject)
            let others = world.workers.indices.filter { other in
                var (old, new) = (before.ledger, world.ledger)
                return old.outcome(for: other) == nil && new.outcome(for: other) != nil
            }
            expect(
                circle.isEmpty == others.isEmpty && others.allSatisfy { circle.contains($0) },
                "a wait that closes \(circle) freed \(others)"
            )
            if !others.isEmpty { seen.insert("incomplete given") }
        case .circular(let members):
            expect(!circle.isEmpty && Set(members) == Set(circle), "no circle, or another")
            let needed = [subject] + circle.compactMap { world.workers[$0].awaited }
            expect(
                needed.allSatisfy { world.constructed[$0] == nil },
                "an error although a member is constructed"
            )
            seen.insert("circular threads")
            fail(index, &world)
        }
    }

    private mutating func start(_ subject: Subject, _ index: Int, _ world: inout World) {
        let isReentry = (world.builders[subject] ?? []).filter { $0 == index }.count > 1
        if isReentry {
            world.workers[index].phase = .constructing(subject, next: 0)
        } else if world.generations[subject.service] != subject.generation
            || world.kept[subject.service] != nil
        {
            // A reset or another's build came between: look again.
            seen.insert(world.kept[subject.service] == nil ? "stale" : "second look")
            world.ledger.abandon(subject)
            stopBuilding(subject, index, &world)
            world.workers[index].phase = .looking
        } else {
            world.workers[index].phase = .constructing(subject, next: 0)
        }
    }

    private mutating func construct(_ subject: Subject, _ index: Int, _ world: inout World) {
        world.workers[index].built += 1
        let product = Product(
            service: subject.service,
            generation: subject.generation,
            builder: index,
            number: world.workers[index].built
        )
        let (kept, isFirst) = world.ledger.construct(subject, product)
        if isFirst {
            expect(kept == product, "the first product is not the one that is kept")
            expect(world.constructed[subject] == nil, "a second product of \(subject)")
            world.constructed[subject] = product
            for frame in world.workers[index].frames.indices
            where world.workers[index].frames[frame].service == subject.service {
                world.workers[index].frames[frame].product = product
            }
            world.workers[index].phase = .completing(subject, next: 0)
        } else {
            expect(kept == world.constructed[subject], "not the first product")
            seen.insert("first wins")
            world.ledger.complete(subject)
            stopBuilding(subject, index, &world)
            pop(index, &world)
        }
    }

    private mutating func complete(_ subject: Subject, _ index: Int, _ world: inout World) {
        if world.generations[subject.service] == subject.generation {
            world.kept[subject.service] = world.constructed[subject]
        } else {
            seen.insert("not kept")
        }
        world.completed.insert(subject)
        world.ledger.complete(subject)
        stopBuilding(subject, index, &world)
        pop(index, &world)
    }

    // MARK: - Helpers

    private mutating func take(
        _ product: Product,
        _ subject: Subject,
        _ index: Int,
        _ world: inout World
    ) {
        expect(world.constructed[subject] == product, "handed \(product) for \(subject)")
        pop(index, &world)
    }

    private func pop(_ index: Int, _ world: inout World) {
        world.workers[index].frames.removeLast()
    }

    /// An error goes up: through each frame that builds, to the root or the callback that asked.
    private mutating func fail(_ index: Int, _ world: inout World) {
        pop(index, &world)
        guard case .constructing(let subject, _) = world.workers[index].frames.last?.phase else {
            return
        }
        world.workers[index].phase = .failing(subject)
    }

    private func stopBuilding(_ subject: Subject, _ index: Int, _ world: inout World) {
        world.builders[subject]?.removeLast()
        if world.builders[subject]?.isEmpty == true { world.builders[subject] = nil }
    }

    /// The workers of the circle that a wait would close, found from the workers alone.
    private func circle(from index: Int, needing subject: Subject, in world: World) -> [Int] {
        var circle: [Int] = []
        var needed = subject
        while let builder = world.builders[needed]?.last {
            if builder == index { return circle }
            var ledger = world.ledger
            guard let awaited = world.workers[builder].awaited,
                ledger.outcome(for: builder) == nil
            else { return [] }
            circle.append(builder)
            needed = awaited
        }
        return []
    }
}

extension LedgerExplorer.Worker {
    var isDone: Bool { roots.isEmpty && frames.isEmpty }

    var phase: LedgerExplorer.Phase {
        get { frames[frames.count - 1].phase }
        set { frames[frames.count - 1].phase = newValue }
    }

    var awaited: LedgerExplorer.Subject? {
        guard case .waiting(let subject) = frames.last?.phase else { return nil }
        return subject
    }
}

extension LedgerExplorer.Frame {
    var subject: LedgerExplorer.Subject? {
        switch phase {
        case .looking: nil
        case .asking(let subject), .waiting(let subject), .starting(let subject): subject
        case .constructing(let subject, _), .completing(let subject, _): subject
        case .failing(let subject): subject
        }
    }
}
