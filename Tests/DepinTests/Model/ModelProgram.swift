@testable import Depin

/// A random program: services that need each other, and threads that use two containers at once.
struct ModelProgram {
    enum Scope: CaseIterable {
        case transient, graph, container, named, stored, weak

        var isShared: Bool { self != .transient && self != .graph }
        /// Keeps one instance until it is reset.
        var isPermanent: Bool { self == .container || self == .named || self == .stored }
    }

    struct Service {
        var scope: Scope
        /// Needed by the factory, in this order.
        var factory: [Int]
        /// Asked for by `initCompleted`, which goes on without those that fail.
        var completion: [Int]
        /// The factory throws, after it has got what it needs.
        var fails: Bool
    }

    enum Place: Int, CaseIterable {
        case parent, child
    }

    enum Operation {
        case resolve(Place, Int)
        case register(Place, Int)
        case reset(Scope)
        case lazy(Place, Int)
        case provider(Place, Int)
        case fork(Place, Int)
        case newChild(Int)
        case injected(Place, Int)
        case overriding(Int)
        case drop
    }

    let seed: UInt64
    private(set) var services: [Service] = []
    private(set) var overridden: [Int] = []
    private(set) var threads: [[Operation]] = []

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...7, using: &random)
        // Half of the programs have no circle at all: there every outcome is known.
        let isAcyclic = Bool.random(using: &random)
        func needs(of index: Int, oneIn rarity: Int) -> [Int] {
            let known = isAcyclic ? index : count
            return (0..<known).filter { _ in Int.random(in: 0..<rarity, using: &random) == 0 }
                .shuffled(using: &random)
        }
        for index in 0..<count {
            services.append(
                Service(
                    scope: Scope.allCases.randomElement(using: &random) ?? .graph,
                    factory: needs(of: index, oneIn: isAcyclic ? 2 : 4),
                    completion: needs(of: index, oneIn: 4),
                    fails: Int.random(in: 0..<12, using: &random) == 0
                )
            )
        }
        overridden = (0..<count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        // Half of the programs change nothing while they run.
        let changes = Bool.random(using: &random)
        threads = (0..<Int.random(in: 2...16, using: &random)).map { _ in
            (0..<Int.random(in: 2...12, using: &random)).map { _ in
                Self.operation(count, changes, &random)
            }
        }
    }

    private static func operation(
        _ count: Int,
        _ changes: Bool,
        _ random: inout SeededGenerator
    ) -> Operation {
        let service = Int.random(in: 0..<count, using: &random)
        let place = Place.allCases.randomElement(using: &random) ?? .parent
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return changes ? .register(place, service) : .resolve(place, service)
        case 1, 2:
            let scope = Scope.allCases.randomElement(using: &random) ?? .weak
            return changes ? .reset(scope) : .drop
        case 3: return .lazy(place, service)
        case 4: return .provider(place, service)
        case 5: return .fork(place, service)
        case 6: return .newChild(service)
        case 7: return .injected(place, service)
        case 8: return .overriding(service)
        case 9: return .drop
        default: return .resolve(place, service)
        }
    }
}

// MARK: - The sequential reference

/// What the shape of a program alone says about the outcome of a request.
struct ModelExpectation {
    enum Outcome {
        case success
        /// A factory that throws, or a circle of factories, is in the way.
        case failure
        /// The way leads into a circle through callbacks: it depends on who comes first.
        case either
    }

    let outcomes: [Outcome]
    /// For each service those that are in a circle with it, and itself.
    let circles: [Set<Int>]

    init(_ services: [ModelProgram.Service]) {
        let indices = services.indices
        func closure(_ edges: (Int) -> [Int]) -> [Set<Int>] {
            indices.map { start in
                var reached: Set<Int> = []
                var next = edges(start)
                while let index = next.popLast() {
                    if reached.insert(index).inserted { next += edges(index) }
                }
                return reached
            }
        }
        let byFactory = closure { services[$0].factory }
        let byAny = closure { services[$0].factory + services[$0].completion }
        circles = indices.map { index in
            Set(byAny[index].filter { byAny[$0].contains(index) }).union([index])
        }
        outcomes = indices.map { index in
            let needed = byFactory[index].union([index])
            if needed.contains(where: { services[$0].fails || byFactory[$0].contains($0) }) {
                return .failure
            }
            let reached = byAny[index].union([index])
            return reached.contains { byAny[$0].contains($0) } ? .either : .success
        }
    }
}
