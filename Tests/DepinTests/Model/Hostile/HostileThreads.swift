/// A random program for threads: shared services that need each other, callbacks and ends that ask.
///
/// No factory needs itself, whatever the way, and a callback and a `deinit` do without what they do not
/// get. So every request of a thread's own succeeds, unless a `deinit` closes a circle, and all of them
/// end.
struct HostileThreads {
    enum Scope: CaseIterable {
        case container, named, stored, weak, expiring, graph, transient

        /// Keeps one instance for good.
        var isPermanent: Bool { self == .container || self == .named || self == .stored }
    }

    struct Service {
        var scope: Scope
        /// Needed by the factory; smaller numbers only.
        var factory: [Int]
        /// Asked for by `initCompleted`.
        var callback: [Int]
        /// Asked for by `deinit`.
        var atEnd: Int?
        /// How often a thread lets others go before each of its steps.
        var pause: Int
    }

    let seed: UInt64
    private(set) var services: [Service] = []
    private(set) var threads: [[Int]] = []
    /// The first service expires, and asks at its end for the second, whose factory takes the first.
    ///
    /// Neither needs anything else, so no end waits in a circle of threads.
    let isExpiring: Bool

    /// True where all requests of the threads' own succeed.
    var succeeds: Bool { isExpiring || services.allSatisfy { $0.atEnd == nil } }

    /// The same requests, one after the other: what fails then is no matter of threads.
    var onOneThread: HostileThreads {
        var program = self
        program.threads = [threads.flatMap(\.self)]
        return program
    }

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...6, using: &random)
        let scopes = Scope.allCases.filter { _ in Bool.random(using: &random) } + [.container]
        isExpiring = Bool.random(using: &random)
        for index in 0..<count {
            let scope = scopes.randomElement(using: &random) ?? .container
            let asksAtEnd = !isExpiring && scope == .expiring && Bool.random(using: &random)
            services.append(
                Service(
                    scope: scope,
                    factory: (0..<index).filter { _ in Bool.random(using: &random) },
                    callback: (0..<count).filter { _ in Int.random(in: 0..<4, using: &random) == 0
                    },
                    atEnd: asksAtEnd ? Int.random(in: 0..<count, using: &random) : nil,
                    pause: [0, 1, 5, 30].randomElement(using: &random) ?? 0
                )
            )
        }
        if isExpiring {
            services[0].scope = .expiring
            services[0].atEnd = 1
            services[1].scope = .weak
            services[1].factory = [0]
            for index in 0...1 { services[index].callback = [] }
        }
        threads = (0..<Int.random(in: 2...4, using: &random)).map { _ in
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Int.random(in: 0..<count, using: &random)
            }
        }
    }
}
