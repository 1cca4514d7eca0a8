import Depin

/// Containers with 10, 1,000 and 100,000 registrations, and tables of the same services.
final class Sized: Sendable {
    let sites: [Site]
    let container: Container

    private init(digits: Int) {
        sites = makeSites(digits: digits)
        container = Container.with(sites)
    }

    static let small = Sized(digits: 1)
    static let middle = Sized(digits: 3)
    static let large = Sized(digits: 5)

    /// The same containers with every service shared and made, so that each key finds an instance.
    final class Shared: Sendable {
        let sites: [Site]
        let container = Container()

        init(_ sized: Sized) {
            // Not in the order of registration, nor of allocation.
            sites = sized.sites.shuffled(using: &Shared.generator)
            for site in sized.sites {
                site.registerShared(in: container)
                site.resolve(in: container)
            }
        }

        private nonisolated(unsafe) static var generator = Scrambler()
    }

    static let smallShared = Shared(small)
    static let middleShared = Shared(middle)
    static let largeShared = Shared(large)
}

/// Numbers that are the same in every run.
struct Scrambler: RandomNumberGenerator {
    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

extension Row {
    static let sizes =
        hot("11-ready", "ready instance, one key") { sink(resolveShared($0)) }
        + hot("11-transient", "transient, one key") { sink(resolveTransient($0)) }
        + hot("11-miss", "miss, one key") { sink(resolveMissing($0)) }
        + [scattered("10", { Sized.smallShared }), scattered("100k", { Sized.largeShared })]

    /// One hot key, with few and with many registrations, as multiples of 1,000.
    private static func hot(
        _ id: String,
        _ title: String,
        _ ask: @escaping @Sendable (Container) -> Void
    ) -> [Row] {
        let floor = Operation("at 1k") { count in
            let container = Sized.middle.container
            for _ in 0..<count { ask(container) }
        }
        return [
            Row("\(id)-10", "\(title), 10 registrations", floor, goal: 1.5) { count in
                let container = Sized.small.container
                for _ in 0..<count { ask(container) }
            },
            Row("\(id)-100k", "\(title), 100k registrations", floor, goal: 1.5) { count in
                let container = Sized.large.container
                for _ in 0..<count { ask(container) }
            },
        ]
    }

    /// Every key in turn, in no order: what the caches do to it.
    private static func scattered(
        _ size: String,
        _ shared: @escaping @Sendable () -> Sized.Shared
    ) -> Row {
        @Sendable func loop(_ shared: Sized.Shared, _ count: Int) {
            for index in 0..<count {
                shared.sites[index % shared.sites.count].resolve(in: shared.container)
            }
        }
        // Each key comes up several times, but for the largest, which no cache holds anyway.
        let floor = Operation("at 1k", batch: 20_000) { loop(Sized.middleShared, $0) }
        let operation = Operation("11-scattered-\(size)", batch: 50_000) { loop(shared(), $0) }
        let title = "ready instance, scattered keys, \(size) registrations"
        return Row(operation.id, title, floor: floor.id, goal: nil, operation: operation) {
            let floorTime = floor.nanoseconds()
            return Sample(nanoseconds: operation.nanoseconds(), floorNanoseconds: floorTime)
        }
    }
}
