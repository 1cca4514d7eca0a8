@testable import Depin

/// A random app whose instances close, and what is done with it.
///
/// A service needs services of lower numbers only, and what is kept needs nothing that is open for a shorter
/// time, so that every program is legal.
struct ClosingProgram {
    enum Scope: CaseIterable {
        case transient, graph, weak, container, session, request
    }

    /// How a factory asks for what it needs.
    enum Way: CaseIterable {
        case atOnce, byLazy, byProvider, byResolver
    }

    struct Need {
        let service: Int
        let way: Way
    }

    struct Service {
        let scope: Scope
        let isClosed: Bool
        /// How many containers must be open: 0 for the app alone, 2 for a request in a session.
        let level: Int
        let needs: [Need]
        /// Fails so many times before it succeeds.
        let failures: Int
    }

    enum Step {
        case open
        case close
        case resolve(Int)
        /// Uses something that a factory kept for later, by a number that chooses.
        case useLater(Int)
        /// Drops the singletons.
        case reset
    }

    let seed: UInt64
    let services: [Service]
    let steps: [Step]

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        var services: [Service] = []
        for number in 0..<Int.random(in: 2...14, using: &random) {
            let scope = Scope.allCases.randomElement(using: &random) ?? .graph
            let limit =
                switch scope {
                case .transient, .graph, .request: 2
                case .session: 1
                case .weak, .container: 0
                }
            let candidates = (0..<number).filter { services[$0].level <= limit }.shuffled(
                using: &random
            )
            let needs = candidates.prefix(Int.random(in: 0...3, using: &random)).map {
                Need(service: $0, way: Way.allCases.randomElement(using: &random) ?? .atOnce)
            }
            let level =
                switch scope {
                case .session, .request: limit
                default: needs.map { services[$0.service].level }.max() ?? 0
                }
            services.append(
                Service(
                    scope: scope,
                    isClosed: Int.random(in: 0..<3, using: &random) > 0,
                    level: level,
                    needs: needs,
                    failures: Int.random(in: 0..<6, using: &random) == 0 ? 1 : 0
                )
            )
        }
        self.services = services
        steps = (0..<Int.random(in: 5...40, using: &random)).map { _ in
            switch Int.random(in: 0..<20, using: &random) {
            case 0...2: .open
            case 3: .close
            case 4: .reset
            case 5...11: .useLater(.random(in: 0..<1 << 20, using: &random))
            default: .resolve(.random(in: services.indices, using: &random))
            }
        }
    }
}
