import Depin

/// What holds for each request, whatever the other lanes do meanwhile.
///
/// Unchecked: nothing changes once the lanes run, and the reference is only read.
final class LaneExpectation: @unchecked Sendable {
    /// What had happened when an operation began.
    struct Start {
        /// The registration that the request finds, or a later one.
        let oldest: Int
    }

    private let program: Program
    private let reference: Reference
    /// Registrations of later numbers may not have had their scope and callbacks when they were used.
    private let registrationCount: Int
    /// Nothing is registered, reset or closed while the lanes run.
    let isCalm: Bool
    private let kinds: Set<String>

    init(_ program: Program, _ reference: Reference) {
        (self.program, self.reference) = (program, reference)
        registrationCount = reference.registrationCount
        isCalm = !program.changesInLanes
        kinds = program.errorKinds
    }

    func begin(_ request: Program.Request, of container: Container, in world: World) -> Start {
        let key = World.Newest(container: ObjectIdentifier(container), service: request.service)
        let removes = program.lanes.flatMap(\.operations).contains {
            switch $0 {
            // A container that closes registers nothing more.
            case .unregister, .close: true
            default: false
            }
        }
        let mayRemove =
            removes || program.features.contains(.busyFactories)
            || program.hasErrand(where: \.closes)
        return Start(oldest: mayRemove ? 0 : world.newest.change { $0[key] } ?? 0)
    }

    /// Whether a request of a place succeeds for sure.
    func isCertain(_ request: Program.Request, in place: Int) -> Bool {
        guard isCalm, !program.hasCircles, place < reference.places.count else { return false }
        return reference.isCertain(request, in: reference.place(place))
    }

    func judge(
        _ error: any Error,
        _ request: Program.Request?,
        _ place: Int?,
        _ history: History
    ) {
        let kind = World.kind(of: error)
        if !kinds.contains(kind) { history.fail("a lane got \(kind): \(error)") }
        if let request, let place, isCertain(request, in: place) {
            history.fail("a lane did not get \(request) in place \(place): \(error)")
        }
    }

    func judge(
        _ item: Item,
        _ request: Program.Request,
        held: [Item],
        since start: Start?,
        _ history: History
    ) {
        guard let life = history.life(of: item.innermost.number), item.registration > 0 else {
            return history.fail("a lane got an instance that nobody has made")
        }
        if let start, item.registration < start.oldest {
            history.fail("#\(item.number) came from a registration that was over")
        }
        let isJudged = item.registration <= registrationCount
        if isJudged, !program.hasCircles, life.completions != 1 {
            history.fail("#\(item.number), \(item.scope), has completed \(life.completions) times")
        }
        guard isCalm, isJudged else { return }
        judgeWeak(item, life, held, history)
        judgeGraph(of: item, history)
    }

    /// A weak instance that a lane holds is the one that everyone gets.
    private func judgeWeak(
        _ item: Item,
        _ life: History.Life,
        _ held: [Item],
        _ history: History
    ) {
        guard item.scope == .weak, life.place != KnownContainers.unknown else { return }
        for other in held where other.registration == item.registration {
            guard let mine = history.life(of: other.innermost.number), mine.place == life.place,
                mine.argument == life.argument, other.innermost !== item.innermost
            else { continue }
            history.fail("#\(other.number) is held and was built again as #\(item.number)")
        }
    }

    /// In one graph a registration has one instance, as far as factories see.
    private func judgeGraph(of root: Item, _ history: History) {
        var known: [GraphKey: Item] = [:]
        var next = [root]
        var visited: Set<Int> = []
        while let item = next.popLast() {
            guard visited.insert(item.number).inserted else { continue }
            if item.scope == .graph, let life = history.life(of: item.innermost.number) {
                let key = GraphKey(item.registration, life.place, life.argument)
                let other = known.updateValue(item.innermost, forKey: key)
                if let other, other !== item.innermost, life.place != KnownContainers.unknown {
                    history.fail("#\(item.number) and #\(other.number) are of one graph")
                }
            }
            // What is shared was made in a graph of somebody's.
            if item.scope.isUnshared { next += item.needs }
            if let inner = item.inner { next.append(inner) }
        }
    }

    private struct GraphKey: Hashable {
        let registration: Int
        let place: String
        let argument: Int?
        init(_ registration: Int, _ place: String, _ argument: Int?) {
            (self.registration, self.place, self.argument) = (registration, place, argument)
        }
    }
}
