import Foundation
import Testing

@testable import Depin

/// With `DEPIN_EXHAUSTIVE=1`, which takes a minute in release mode, every world of two and of three services is
/// walked through, and many of those with tasks and of four; some of them otherwise.
private let isExhaustive = ProcessInfo.processInfo.environment["DEPIN_EXHAUSTIVE"] != nil

// A sanitizer finds nothing in a plain value that one thread uses, and takes minutes. `.ci/run ledger`
// runs all of it without one.
@Suite(
    .enabled {
        let environment = ProcessInfo.processInfo.environment
        return environment["ASAN_OPTIONS"] == nil && environment["TSAN_OPTIONS"] == nil
    }
)
struct `Who builds, who waits: every order of steps` {
    typealias Service = LedgerProgram.Service

    @Test func `one builds what three ask for, and all get it`() {
        let seen = explore([Service()], [[0], [0], [0]])
        #expect(!seen.contains("circular threads"))
        #expect(seen.contains("second look"))
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
        #expect(seen.isSuperset(of: ["stale", "not kept", "first wins"]))
        explore([Service()], [[0], [0], [0]], isExhaustive ? 2 : 1)
        explore([Service(fails: true)], [[0], [0]], 2)
    }

    @Test func `those who waited for a worker that never goes on request again`() {
        var ledger = Ledger<String, String, String>()
        for subject in ["a", "b", "b"] { _ = ledger.request(subject, by: "left") }
        _ = ledger.request("c", by: "other")
        for (subject, worker) in [("a", "one"), ("b", "two")] {
            guard case .wait = ledger.request(subject, by: worker) else {
                Issue.record("\(worker) does not wait")
                return
            }
        }
        ledger.abandonAll(of: "left")
        #expect(Set(ledger.takeEnded()) == ["one", "two"])
        #expect(ledger.outcome(for: "one") == .abandoned)
        #expect(ledger.outcome(for: "two") == .abandoned)
        #expect(ledger.builds.all.map(\.key) == ["c"])
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
        #expect(seen.contains("cancelled"))
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
        // One that builds waits for two things at once: a circle through the second is one too.
        var ledger = Ledger<String, Int, String>()
        for (subject, builder) in [("a", 1), ("b", 2), ("c", 3)] {
            _ = ledger.request(subject, by: builder)
        }
        for (subject, agent) in [("b", 11), ("c", 12)] {
            guard case .wait = ledger.request(subject, by: agent, onBehalfOf: [1]) else {
                Issue.record("\(agent) does not wait")
                return
            }
        }
        guard case .circular(let circle) = ledger.request("a", by: 31, onBehalfOf: [3]) else {
            Issue.record("the circle was not found")
            return
        }
        #expect(circle == [12])
        ledger.cancel(12)
        guard case .wait = ledger.request("a", by: 31, onBehalfOf: [3]) else {
            Issue.record("who has gone is still waited for")
            return
        }
    }

    @Test(.enabled(if: isExhaustive, "a single one may take 20 s in a debug build"))
    func `worlds with tasks of three services`() {
        var random = SeededGenerator(seed: 15)
        for _ in 0..<120 {
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
            let program = LedgerProgram(services: services, workers: workers)
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
        cancellations: Int = 0
    ) -> Set<String> {
        var explorer = LedgerExplorer(
            LedgerProgram(
                services: services,
                workers: workers,
                resets: resets,
                tasks: tasks,
                cancellations: cancellations
            )
        )
        explorer.run()
        #expect(explorer.violation == nil, "\(explorer.program)")
        return explorer.seen
    }
}

/// So that a test can name what its workers need.
extension String: TableKey {
    /// The word's own hash.
    public var tableHash: Int { hashValue }
}
