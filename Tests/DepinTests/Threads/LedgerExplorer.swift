@testable import Depin

/// Runs a program in every order in which its workers can take their steps, without any thread.
///
/// A worker is a stack of frames, as a thread that resolves is. It takes the steps that
/// `Core.share` takes, each of them at once, with any step of the others in between. A task that builds has
/// a further worker for each of its needs, and goes on when they are done.
struct LedgerExplorer {
    struct Product: Hashable {
        let service: Int
        let generation: UInt32
        let builder: Int
        let number: Int
    }

    struct Subject: Hashable, TableKey {
        let service: Int
        let generation: UInt32

        var tableHash: Int { service ^ Int(generation) }
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
        var isTask = false
        /// The worker that waits for this one, and those that wait for that one.
        var principals: [Int] = []
        var hasFailed = false
        /// True when those that waited for it have gone on.
        var isJoined = false
    }

    struct World: Hashable {
        var ledger = Ledger<Subject, Int, Product>()
        var workers: [Worker]
        var generations: [UInt32]
        var kept: [Product?]
        var resets: Int
        var cancellations: Int
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
    var seen: Set<String> = []
    private var visited: Set<World> = []

    init(_ program: LedgerProgram) {
        self.program = program
    }

    mutating func run() {
        let count = program.services.count
        var stack = [
            World(
                workers: program.workers.enumerated().map {
                    Worker(roots: $1[...], isTask: $0 < program.tasks)
                },
                generations: Array(repeating: 0, count: count),
                kept: Array(repeating: nil, count: count),
                resets: program.resets,
                cancellations: program.cancellations
            )
        ]
        while var world = stack.popLast() {
            guard violation == nil else { return }
            takePrivateSteps(in: &world)
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
            if world.cancellations > 0 {
                for worker in world.workers.indices {
                    guard let after = cancel(worker, in: world) else { continue }
                    next.append(after)
                }
            }
            stack += next
        }
        states = visited.count
    }

    /// Takes the steps that no other worker can see or hinder, so in any order the same comes of them.
    private mutating func takePrivateSteps(in world: inout World) {
        // A step may add workers.
        var index = 0
        while index < world.workers.count {
            if world.workers[index].isNextStepPrivate(in: program),
                let after = step(index, in: world)
            {
                world = after
            } else {
                index += 1
            }
        }
    }

    private mutating func finish(_ world: World) {
        if world.workers.contains(where: { !$0.isDone }) {
            violation = "nobody can go on: \(world.workers.map(\.frames))"
        } else if world.ledger.isIdle == false {
            violation = "somebody builds or waits at the end"
        }
    }

    mutating func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition, violation == nil { violation = text() }
    }
}

extension LedgerExplorer.Worker {
    var isDone: Bool { roots.isEmpty && frames.isEmpty }

    /// True where a task makes the request of the innermost frame, and can wait for an asynchronous build.
    func canAwait(in program: LedgerProgram) -> Bool {
        isTask && frames.dropLast().isEmpty
    }

    /// True where it begins to look for what it, or a factory or a callback, needs next.
    func isNextStepPrivate(in program: LedgerProgram) -> Bool {
        guard let frame = frames.last else { return !roots.isEmpty }
        let service = program.services[frame.service]
        return switch frame.phase {
        case .constructing(_, let next): next < service.factory.count
        case .completing(_, let next): next < service.completion.count
        default: false
        }
    }

    /// True where the callback of something that is built makes the requests.
    var isInCallback: Bool {
        frames.contains { if case .completing = $0.phase { true } else { false } }
    }

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

extension Ledger {
    var isIdle: Bool { builds.isEmpty && waits.isEmpty && agents.isEmpty }
}
