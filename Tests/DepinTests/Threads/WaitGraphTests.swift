import Foundation
import Testing

@testable import Depin

/// With `DEPIN_EXHAUSTIVE=1`, which takes a minute in release mode, every world of two and of three services is
/// walked through, and many of those with tasks and of four; some of them otherwise.
private let isExhaustive = ProcessInfo.processInfo.environment["DEPIN_EXHAUSTIVE"] != nil

// A sanitizer finds nothing in a plain value that one thread uses, and takes minutes. `.ci/run walk`
// runs all of it without one.
@Suite(
    .enabled {
        let environment = ProcessInfo.processInfo.environment
        return environment["ASAN_OPTIONS"] == nil && environment["TSAN_OPTIONS"] == nil
    }
)
struct `Who builds, who waits: every order of steps` {
    typealias Service = BuildProgram.Service

    @Test func `one builds what three ask for, and all get it`() {
        let seen = explore([Service()], [[0], [0], [0]])
        #expect(!seen.contains("circular threads"))
        #expect(seen.contains("over meanwhile"))
    }

    @Test func `those who waited for a build that failed build themselves`() {
        explore([Service(fails: true)], [[0], [0, 0], [0]])
    }

    //  0 ──► 1 ──► 0
    @Test func `a circle of factories is an error for all, whoever comes first`() {
        let seen = explore([Service(factory: [1]), Service(factory: [0])], [[0], [1], [0]])
        #expect(seen.contains("circular threads"))
        #expect(seen.contains("circular path"))
        #expect(!seen.contains("incomplete taken"))
    }

    //  0 ──► 1 ··► 0       (··► in initCompleted)
    @Test func `a circle with a constructed member ends, from either end`() {
        let seen = explore([Service(factory: [1]), Service(completion: [0])], [[0], [1], [1]])
        #expect(seen.isSuperset(of: ["incomplete taken", "incomplete given", "re-entry"]))
        #expect(!seen.contains("circular threads"))
    }

    //  0 ──► 1 ··► 2 ──► 0
    @Test func `a circle of three threads ends where one member is constructed`() {
        let services = [Service(factory: [1]), Service(completion: [2]), Service(factory: [0])]
        let seen = explore(services, [[0], [1], [2]])
        #expect(seen.contains("incomplete given"))
    }

    //  0 ··► 1 ··► 0
    @Test func `two that complete each other from both ends`() {
        let seen = explore([Service(completion: [1]), Service(completion: [0])], [[0], [1], [0]])
        #expect(seen.contains("own product"))
        #expect(!seen.contains("circular threads"))
    }

    @Test func `re-entry builds twice and keeps the first`() {
        let seen = explore([Service(factory: [1]), Service(completion: [0])], [[0], [0]])
        #expect(seen.contains("first wins"))
    }

    @Test func `a reset at any moment: waiters are served, nothing stale is kept`() {
        let seen = explore([Service(factory: [1]), Service(completion: [0])], [[0], [0, 1]], 2)
        #expect(seen.isSuperset(of: ["not kept", "first wins"]))
        explore([Service()], [[0], [0], [0]], isExhaustive ? 2 : 1)
        explore([Service(fails: true)], [[0], [0]], 2)
    }

    /// A task that a factory has left running may come back to what that has under construction, and be refused.
    @Test func `a step that fails while another one goes on takes nothing from that`() {
        var state = SlotState<WaitExplorer.Product>()
        let product = WaitExplorer.Product(service: 0, builder: 0, number: 1)
        guard case .make(let building) = state.enter(own: nil, number: 1, living: { $0 }),
            case .make = state.enter(own: building, number: 2, living: { $0 })
        else {
            Issue.record("nobody builds")
            return
        }
        _ = state.construct(building, product)
        let (dropped, isEnd) = state.abandon(building)
        #expect(dropped == nil)
        #expect(!isEnd)
        #expect(state.leave(building) { _ in .strongly })
        #expect(state.ready === product)
    }

    @Test func `of several circles the same is told in each process`() {
        var graph = WaitGraph()
        // Each of the waits 100, 101, … would lead back.
        for waiter: UInt in 100..<140 {
            #expect(graph.begin(Wait(for: 2, blocking: [1], number: waiter)) == nil)
        }
        let circle = graph.circle(closedBy: Wait(for: 1, blocking: [2]))
        #expect(circle?.map(\.number) == [139])
    }

    @Test func `those who waited for a thread that never goes on request again`() {
        var state = SlotState<WaitExplorer.Product>()
        guard case .make(let building) = state.enter(own: nil, number: 1, living: { $0 }) else {
            Issue.record("an empty slot is not for the caller")
            return
        }
        var graph = WaitGraph()
        let waits = [Wait(for: 1, blocking: []), Wait(for: 1, blocking: [])]
        for wait in waits { #expect(graph.begin(wait) == nil) }
        #expect(!graph.isEmpty)
        state.abandonWholly(building)
        #expect(building.isOver)
        #expect(state.current == nil)
        graph.end(1, nil)
        #expect(graph.takeEnded().map(\.number) == waits.map(\.number))
        for wait in waits { #expect(isAgain(wait.outcome)) }
        #expect(graph.isEmpty)
    }

    @Test func `unrelated builds need nothing of each other`() {
        let seen = explore([Service(), Service(), Service()], [[0], [1], [2]])
        #expect(seen.isEmpty)
    }

    @Test func `a diamond of four services, asked for from three sides`() {
        let services = [
            Service(factory: [1, 2]), Service(factory: [3]), Service(factory: [3]), Service(),
        ]
        explore(services, [[0], [2], [3]])
    }

    // MARK: Tasks

    @Test func `three tasks ask for what takes time: one builds, all get it`() {
        let seen = explore([Service(isAsync: true)], [[0], [0], [0]], tasks: 3, cancellations: 2)
        #expect(seen.contains("canceled"))
        explore([Service(fails: true, isAsync: true)], [[0], [0, 0]], tasks: 2, cancellations: 1)
    }

    @Test func `a thread never waits for what takes time`() {
        let seen = explore(
            [Service(factory: [1]), Service(isAsync: true)],
            [[1], [0], [1, 0]],
            tasks: 1
        )
        #expect(seen.contains("needs await"))
    }

    //  0 ──► 1, 2     1 ──► 2     2 ──► 1        (all asynchronous)
    @Test func `a factory that asks for two at once is in two circles`() {
        let services = [
            Service(factory: [1, 2], isAsync: true), Service(factory: [2], isAsync: true),
            Service(factory: [1], isAsync: true),
        ]
        let seen = explore(services, [[0], [1]], tasks: 2)
        #expect(seen.contains("circular tasks"))
        explore(services, [[0]], tasks: 1, cancellations: 1)
    }

    //  0 (async) ──► 1, 2      1 ──► 2 ··► 1
    @Test func `threads and tasks are in one circle`() {
        let services = [
            Service(factory: [1, 2], isAsync: true), Service(factory: [2]),
            Service(completion: [1]),
        ]
        let seen = explore(services, [[0], [1], [2]], tasks: 1)
        #expect(seen.isSuperset(of: ["incomplete taken", "incomplete given"]))
    }

    @Test func `what several wait for on behalf of one is not hidden by the first of them`() {
        // One that builds 1 waits for two things at once: a circle through the second is one too.
        var graph = WaitGraph()
        let waits = [Wait(for: 2, blocking: [1]), Wait(for: 3, blocking: [1])]
        for wait in waits { #expect(graph.begin(wait) == nil) }
        let wait = Wait(for: 1, blocking: [3])
        guard case .circular(let circle) = graph.begin(wait) else {
            Issue.record("the circle was not found")
            return
        }
        #expect(circle.map(\.number) == [waits[1].number])
        let isCanceled = graph.cancel(waits[1])
        #expect(isCanceled)
        #expect(graph.begin(wait) == nil)
    }

    // MARK: Storages and turns

    @Test func `one builds what a storage keeps, and all get it`() {
        let seen = explore([Service(isStored: true)], [[0], [0], [0]])
        #expect(seen.contains("stored meanwhile"))
        explore([Service(isStored: true)], [[0], [0]], 2)
        explore([Service(fails: true, isStored: true)], [[0], [0]], 1)
        explore([Service(isStored: true), Service(factory: [0])], [[0], [1]], 1)
    }

    //  0 ──► 1 ··► 0       (each in a storage)
    @Test func `a thread goes through two in storages`() {
        explore([Service(factory: [1], isStored: true), Service(isStored: true)], [[0], [1]])
    }

    //  0 ··► 1 ··► 0       (each in a storage)
    @Test func `two in storages that complete each other from both ends`() {
        let services = [
            Service(completion: [1], isStored: true), Service(completion: [0], isStored: true),
        ]
        explore(services, [[0], [1]])
        explore([services[0], Service(completion: [0])], [[0], [1]])
    }

    @Test(arguments: [0, 1])
    func `a storage asks for something when it is looked into`(_ visited: Int) {
        let services = [Service(isStored: true, visits: [visited]), Service(factory: [0])]
        explore(services, [[0], [0]])
        explore(services, [[0], [1]])
    }

    @Test func `a storage asks for what is no circle`() {
        let services = [Service(isStored: true, visits: [1]), Service()]
        explore(services, [[0], [1]])
        explore(services, [[0], [0]])
    }

    //  0 ──► 1 ──► 2      (1 and 2 are made in the turn)
    @Test func `a turn is done without, rather than waited for in a circle`() {
        let services = [
            Service(factory: [1]), Service(factory: [2], isSerialized: true),
            Service(isSerialized: true),
        ]
        let seen = explore(services, [[0], [1], [2]])
        #expect(seen.isSuperset(of: ["turn had again", "turn refused", "turn done without"]))
        explore(
            [
                Service(factory: [1], isSerialized: true),
                Service(completion: [0], isSerialized: true),
            ],
            [[0], [1]],
            1
        )
    }

    // MARK: Instances that are held weakly

    @Test func `what has gone is built anew`() {
        let seen = explore([Service(isWeak: true)], [[0, 0], [0]], 1, deaths: 2)
        #expect(seen.isSuperset(of: ["gone", "built for one that has gone"]))
    }

    // MARK: Worlds

    @Test func `worlds with everything, drawn with a seed`() {
        var random = SeededGenerator(seed: 29)
        func isDrawn(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        for _ in 0..<(isExhaustive ? 300 : 20) {
            let count = Int.random(in: 1...3, using: &random)
            let services = (0..<count).map { _ in
                var service = Service(
                    factory: (0..<count).filter { _ in isDrawn(oneIn: 3) },
                    completion: (0..<count).filter { _ in isDrawn(oneIn: 5) },
                    fails: isDrawn(oneIn: 9)
                )
                switch Int.random(in: 0..<6, using: &random) {
                case 0: service.isAsync = true
                // FIXME: callbacks too, once two in storages may complete each other.
                case 1: (service.isStored, service.completion) = (true, [])
                case 2: service.isWeak = true
                case 3: service.isSerialized = true
                default: break
                }
                return service
            }
            let workers = (0..<Int.random(in: 2...3, using: &random)).map { _ in
                (0...(isDrawn(oneIn: 4) ? 1 : 0)).map { _ in
                    Int.random(in: 0..<count, using: &random)
                }
            }
            explore(
                services,
                workers,
                isDrawn(oneIn: 3) ? 1 : 0,
                tasks: Int.random(in: 0...1, using: &random),
                cancellations: isDrawn(oneIn: 3) ? 1 : 0,
                deaths: isDrawn(oneIn: 3) ? 1 : 0
            )
        }
    }

    @Test func `worlds with tasks of three services`() {
        var random = SeededGenerator(seed: 15)
        for _ in 0..<(isExhaustive ? 120 : 5) {
            let services = (0..<3).map { _ in
                Service(
                    factory: (0..<3).filter { _ in Int.random(in: 0..<3, using: &random) == 0 },
                    completion: (0..<3).filter { _ in Int.random(in: 0..<7, using: &random) == 0 },
                    fails: Int.random(in: 0..<9, using: &random) == 0,
                    isAsync: Bool.random(using: &random)
                )
            }
            explore(
                services,
                [[0], [1]],
                Int.random(in: 0...1, using: &random),
                tasks: Int.random(in: 1...2, using: &random),
                cancellations: Int.random(in: 0...1, using: &random)
            )
        }
    }

    @Test(arguments: [[[0], [1]], [[0], [0]], [[0, 1], [1]], [[0], [1], [0]]])
    func `every world of two services and two or three workers`(_ workers: [[Int]]) {
        exploreWorlds(of: 2, withFailures: true, workers, oneIn: isExhaustive ? 1 : 40)
    }

    @Test(arguments: [[[0], [1]], [[0], [1], [2]]])
    func `worlds of three services`(_ workers: [[Int]]) {
        exploreWorlds(of: 3, withFailures: false, workers, oneIn: isExhaustive ? 1 : 800)
    }

    @Test func `worlds of four services, drawn with a seed`() {
        var random = SeededGenerator(seed: 4)
        for index in 0..<(isExhaustive ? 400 : 10) {
            let services = (0..<4).map { _ in
                Service(
                    factory: (0..<4).filter { _ in Int.random(in: 0..<5, using: &random) == 0 },
                    completion: (0..<4).filter { _ in Int.random(in: 0..<6, using: &random) == 0 },
                    fails: Int.random(in: 0..<9, using: &random) == 0
                )
            }
            let workers = index % 8 == 0 ? [[0], [1], [2]] : [[0], [1]]
            explore(services, workers, Int.random(in: 0...1, using: &random))
        }
    }

    // MARK: -

    /// Walks through the worlds whose services need at most one other each in the factory and in the
    /// callbacks, or through one in so many, and through none twice.
    private func exploreWorlds(
        of count: Int,
        withFailures: Bool,
        _ workers: [[Int]],
        oneIn part: Int
    ) {
        let needs = [[]] + (0..<count).map { [$0] }
        let choices = needs.flatMap { factory in
            needs.flatMap { completion in
                (withFailures ? [false, true] : [false]).map {
                    Service(factory: factory, completion: completion, fails: $0)
                }
            }
        }
        let worlds = (0..<count).reduce([[]]) { worlds, _ in
            worlds.flatMap { world in choices.map { world + [$0] } }
        }
        var known: Set<String> = []
        for services in worlds {
            let program = BuildProgram(services: services, workers: workers)
            if known.insert(program.essence).inserted, known.count % part == 0 {
                explore(services, workers)
            }
        }
    }

    @discardableResult
    private func explore(
        _ services: [Service],
        _ workers: [[Int]],
        _ resets: Int = 0,
        tasks: Int = 0,
        cancellations: Int = 0,
        deaths: Int = 0
    ) -> Set<String> {
        var explorer = WaitExplorer(
            BuildProgram(
                services: services,
                workers: workers,
                resets: resets,
                tasks: tasks,
                cancellations: cancellations,
                deaths: deaths
            )
        )
        explorer.run()
        #expect(explorer.violation == nil, "\(explorer.program)")
        return explorer.seen
    }
}

private func isAgain(_ outcome: Wait.Outcome?) -> Bool {
    if case .again? = outcome { true } else { false }
}
