import Depin
import Foundation

/// Runs a program on the library, beside the ``Reference`` where that can say what must happen.
///
/// It uses the public API only.
final class World: @unchecked Sendable {  // Its variables are constants or guarded by their cells.
    let program: Program
    let history = History()
    let containers = KnownContainers()
    /// The places of the setup, which all lanes share.
    let places = Cell<[Container]>([])
    /// What factories have opened while lanes run.
    let kept = Cell<[Container]>([])
    /// Factories run in lanes; nothing is compared with the reference any more.
    let isInLanes = Cell(false)
    /// The last registration of each service in each container.
    let newest = Cell<[Newest: Int]>([:])
    /// What a validation that runs has made.
    let validating = Cell<Cell<[Item]>?>(nil)
    /// Where the next factory stops until it is let go.
    let gate = Cell<BuildGate?>(nil)
    /// Whether a container that closes waits for the factory that is under way then.
    let closingWaits = Cell(false)
    /// In a circle, or where it seems to wait for what is left running, a factory goes on without the turn.
    let judgesTurns: Bool
    /// How many factories of the app's serialized views let others go first just now.
    let pausingInTurn = Cell(0)
    /// What factories and closers have started and not awaited.
    let leftTasks = Cell<[Task<Void, Never>]>([])
    /// The same, which goes on when that is over.
    let stoppedTasks = Cell<[Task<Void, Never>]>([])
    let goOn = Cell(BuildGate())
    /// Counts operations, for what expires.
    let time = Cell(0)
    let scopes: [Program.Scope: ObjectScope]
    /// Tells of each operation before it is done, since it may stop the process.
    let tell: @Sendable (String) -> Void

    init(_ program: Program, tell: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.program, self.tell) = (program, tell)
        judgesTurns = !program.hasCircles && !program.hasErrand { $0.moment == .meanwhile }
        var scopes: [Program.Scope: ObjectScope] = [
            .transient: .transient, .graph: .graph, .container: .container, .weak: .weak,
        ]
        scopes[.named] = ObjectScope(named: "named")
        scopes[.stored] = ObjectScope(
            storageFactory: PermanentStorage.init,
            description: "stored"
        )
        scopes[.expiring] = ObjectScope(
            storageFactory: { [time] in ExpiringStorage(time) },
            description: "expiring"
        )
        scopes[.session] = ObjectScope(opened: "session")
        scopes[.request] = ObjectScope(opened: "request")
        self.scopes = scopes
    }

    /// Runs the program, and gives back what was wrong.
    func run() async -> [String] {
        let reference = Reference(program.features)
        start(reference)
        let lane = LaneRun(self, expecting: nil)
        await runSetup(lane, reference)
        if history.violations.isEmpty, !program.lanes.isEmpty {
            isInLanes.change { $0 = true }
            await runLanes(LaneExpectation(program, reference))
            await awaitLeftTasks()
        }
        if history.violations.isEmpty { await close(reference) }
        await awaitLeftTasks()
        lane.dropAll()
        if history.violations.isEmpty { dropAll() }
        return history.violations
    }

    private func start(_ reference: Reference) {
        let app = Container()
        addPlace(app)
        reference.start(program.recipes)
        for (service, recipe) in program.recipes.enumerated() {
            register(service, recipe, in: app)
        }
    }

    private func runSetup(_ lane: LaneRun, _ reference: Reference) async {
        for operation in program.setup {
            guard reference.allows(operation) else { continue }
            tell("\(operation)")
            let start = (history.events.count, reference.events.count)
            reference.beginOperation()
            time.change { $0 += 1 }
            await follow(operation, lane, reference)
            reference.endOperation()
            compare(Array(history.events.dropFirst(start.0)), reference.events.dropFirst(start.1))
            compareClosed(reference)
            if !history.violations.isEmpty { return }
        }
    }

    /// Does an operation in both worlds.
    private func follow(
        _ operation: Program.Operation,
        _ lane: LaneRun,
        _ reference: Reference
    ) async {
        switch operation {
        case .resolve(let index, let request):
            reference.resolve(request, in: reference.place(index))
        case .collect(let index):
            reference.collect(reference.place(index))
        case .graph(let index, let requests):
            reference.resolveInGraph(requests, in: reference.place(index))
        case .override(let index, let service, let recipe, let request):
            let place = reference.place(index)
            reference.override(service, by: recipe, in: place, request)
        case .close(let index):
            // The app closes at the end.
            guard reference.places.cyclicIndex(index) > 0 else { return }
            reference.close(reference.place(index))
        case .closeDuring(let index, let request):
            let hasWeak = program.hasWeak
            reference.closeDuring(request, in: reference.place(index), hasWeak: hasWeak)
            closingWaits.change { $0 = reference.closingWaits }
        case .use(let index):
            await lane.use(index, allowed: reference.use(index))
            return
        case .visit(let index, let instance):
            lane.visit(
                instance,
                in: index,
                allowed: reference.visit(instance, in: reference.place(index))
            )
            return
        case .cancel(let index, let request):
            reference.canceling { reference.resolve(request, in: reference.place(index)) }
        case .warmUp(let index, _, let isCanceled):
            let place = reference.place(index)
            if isCanceled {
                reference.canceling { reference.warmUp(place) }
            } else {
                reference.warmUp(place)
            }
        default:
            reference.run(operation)
        }
        await lane.run(operation)
    }

    private func close(_ reference: Reference) async {
        tell("the end")
        reference.close(reference.places[0])
        do {
            try await places.value[0].close()
        } catch {
            history.fail("the app does not close: \(error)")
        }
        if program.lanes.isEmpty {
            compareClosed(reference)
            let left = reference.discarded.subtracting(closed)
            if !left.isEmpty { history.fail("never closed, though nobody keeps them: \(left)") }
        }
        judge()
    }

    /// Lets go of all, of which nothing may be left.
    private func dropAll() {
        // What ends from here on asks for nothing.
        isInLanes.change { $0 = false }
        withExtendedLifetime((places.replace(by: []), kept.replace(by: []))) {}
        history.cutCircles()
        untilSettled { history.livingCount == 0 && containers.alive == 0 }
        if history.livingCount > 0 {
            history.fail("\(history.livingCount) instances are left behind")
        }
        if containers.alive > 0 { history.fail("\(containers.alive) containers are left behind") }
    }

    // MARK: - Comparing

    private var closed: Set<Int> { Set(history.lives.filter { !$0.value.closings.isEmpty }.keys) }

    private func compare(_ events: [String], _ expected: ArraySlice<String>) {
        let expected = Array(expected)
        guard events != expected else { return }
        let same = zip(events, expected).prefix { $0 == $1 }.count
        let before = events.prefix(same).suffix(12).map { "\n    \($0)" }.joined()
        let event = same < events.count ? events[same] : "nothing more"
        let other = same < expected.count ? expected[same] : "nothing more"
        history.fail("after\(before)\n  happened: \(event)\n  expected: \(other)")
    }

    private func compareClosed(_ reference: Reference) {
        reference.discardOverrides()
        let unsaid = reference.discarded.union(reference.uncertain)
        let closed = closed.subtracting(unsaid)
        let expected = reference.closed.subtracting(unsaid)
        if closed != expected {
            let early = closed.subtracting(expected).sorted()
            let missing = expected.subtracting(closed).sorted()
            history.fail("closed, and should not be: \(early); not closed: \(missing)")
        }
    }

    // MARK: - Places

    func addPlace(_ container: Container, isFork: Bool = false) {
        if isInLanes.value {
            kept.change { $0.append(container) }
        } else {
            places.change { $0.append(container) }
        }
        containers.add(container, isFork: isFork)
    }

    func removePlace(_ container: Container) {
        let list = isInLanes.value ? kept : places
        list.change { list in list.removeAll { $0 === container } }
        containers.rename(container)
        // Another container may come to stand at its address.
        let address = ObjectIdentifier(container)
        newest.change { newest in newest = newest.filter { $0.key.container != address } }
    }

    struct Newest: Hashable {
        let container: ObjectIdentifier
        let service: Int
    }

    func objectScope(_ scope: Program.Scope) -> ObjectScope { scopes[scope] ?? .graph }
}
