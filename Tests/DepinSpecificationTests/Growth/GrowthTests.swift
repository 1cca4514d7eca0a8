import Depin
import DepinInspection
import Foundation
import Testing

/// What many of something cost, counted: of four times as many never much more than four times as much.
struct `Growth of cost` {
    enum Way: CaseIterable {
        case graph, keptGraph, overAgain, validation, lazies
    }

    @Test(arguments: Way.allCases)
    func `arguments in one graph cost as much as their number`(_ way: Way) throws {
        let (few, many) = (try comparisons(of: 100, way), try comparisons(of: 400, way))
        #expect(few.made == 100 && many.made == 400)
        // Comparing those that share a part of the hash table, and hashing each a few times.
        #expect(many.equal <= 4 * 400, "\(few.equal) comparisons of 100, \(many.equal) of 400")
        #expect(many.hashed <= 12 * 400, "\(few.hashed) hashes of 100, \(many.hashed) of 400")
    }

    private func comparisons(
        of count: Int,
        _ way: Way
    ) throws -> (equal: Int, hashed: Int, made: Int) {
        let (equal, hashed, made) = (CallCount(), CallCount(), CallCount())
        let numbers = (0..<count).map { Number(value: $0, equal: equal, hashed: hashed) }
        let container = Container()
        container.register(Part.self) { (_: any Resolver, _: Number) in
            made.add()
            return Part()
        }
        container.register(Whole.self) { resolver in
            switch way {
            case .lazies:
                let lazies = numbers.map { resolver ~> (Lazy<Part>.self, argument: $0) }
                return Whole(lazies.map(\.instance))
            case .overAgain:
                for number in numbers { use(resolver ~> (Part.self, argument: number)) }
                fallthrough
            default:
                return Whole(numbers.map { resolver ~> (Part.self, argument: $0) })
            }
        }
        switch way {
        case .graph, .overAgain, .lazies:
            use(try container.require(Whole.self))
        case .keptGraph:
            let graph = GraphIdentifier()
            let parts = numbers.map { number in
                container.withObjectGraph(graph) { $0 ~> (Part.self, argument: number) }
            }
            use(parts)
        case .validation:
            try container.validate()
        }
        return (equal.count, hashed.count, made.count)
    }

    #if os(Linux)
    /// The system counts how often a thread has given up its core: once for each time that it was woken
    /// and waits again.
    @Test func `builds of other services do not wake a thread that waits`() async {
        await #expect(processExitsWith: .success) {
            let (container, mayGo) = (Container(), Latch())
            let isBuilding = Latch()
            container.register(Whole.self) {
                isBuilding.open()
                mayGo.wait(within: 60)
                return Whole([])
            }
            .inObjectScope(.container)
            container.register(Part.self) { Part() }.inObjectScope(.container)
            let builder = Work { container.resolve(Whole.self) }
            isBuilding.wait()
            let waiting = SleepingThread { use(container ~> Whole.self) }
            waiting.untilItSleeps()
            let before = waiting.switches
            for _ in 0..<200 {
                container.resetObjectScope(.container)
                use(container ~> Part.self)
                waiting.untilItSleeps()
            }
            let woken = waiting.switches - before
            mayGo.open()
            expect(builder.value() != nil, "it hangs")
            expect(woken < 20, "woken \(woken) times by 200 builds of something else")
        }
    }
    #endif
}

private struct Number: Hashable {
    let value: Int
    let equal: CallCount
    let hashed: CallCount

    static func == (one: Number, other: Number) -> Bool {
        one.equal.add()
        return one.value == other.value
    }

    func hash(into hasher: inout Hasher) {
        hashed.add()
        hasher.combine(value)
    }
}

private final class Part: Sendable {}

private final class Whole: Sendable {
    let parts: [Part]
    init(_ parts: [Part]) { self.parts = parts }
}
