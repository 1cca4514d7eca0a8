import Depin
import DepinInspection

/// What one lane, or the setup, holds while it does its operations.
final class LaneRun {
    private let world: World
    /// What holds for requests beside other lanes; nil in the setup, where the reference follows.
    private let expectation: LaneExpectation?
    private var ownPlaces: [Container] = []
    private var held: [Item] = []

    init(_ world: World, expecting expectation: LaneExpectation?) {
        (self.world, self.expectation) = (world, expectation)
        ownPlaces = expectation == nil ? [] : world.places.value
    }

    private var history: History { world.history }
    private var places: [Container] { expectation == nil ? world.places.value : ownPlaces }

    private func place(_ index: Int) -> Container { places[cyclic: index] }

    func dropAll() { held = [] }

    // MARK: - Operations

    /// Does an operation in a task.
    func run(_ operation: Program.Operation) async {
        switch operation {
        case .resolve(let index, let request) where request.way.isAsync:
            let container = place(index)
            await keep(request, index) { try await world.resolve(request, container) }
        case .cancel(let index, let request):
            await cancel(request, index)
        case .warmUp(let index, let width, let isCanceled):
            await warmUp(index, width, isCanceled: isCanceled)
        case .validateAsync(let index, let isCanceled):
            await world.validateAsync(place(index), isCanceled: isCanceled)
        case .close(let index):
            await close(index)
        case .closeDuring(let index, let request):
            let result = await world.close(place(index), during: request)
            keep(result, request)
        case .use(let index) where expectation != nil:
            await use(index, allowed: [])
        default:
            runNow(operation)
        }
    }

    /// Does an operation on a thread.
    func runNow(_ operation: Program.Operation) {
        switch operation {
        case .resolve(let index, let request): resolve(index, request)
        case .collect(let index): collect(place(index))
        case .graph(let index, let requests): resolveInGraph(requests, in: place(index))
        case .override(let index, let service, let recipe, let request):
            override(service, by: recipe, in: place(index), request)
        case .drop(let index):
            if !held.isEmpty { held.remove(at: held.cyclicIndex(index)) }
        case .validate(let index): world.validate(place(index))
        case .use(let index): useNow(index)
        case .register(let index, _, _), .unregister(let index, _), .reset(let index, _),
            .decorate(let index, _, _), .contribute(let index, _), .child(let index),
            .open(let index, _), .fork(let index):
            change(place(index), by: operation)
        case .guests(let index, let scope):
            world.inviteGuests(to: place(index), scope)
        case .owner(let index): world.passOwner(to: place(index))
        case .anything(let index): world.askForAnything(place(index))
        case .leave(let index): world.removePlace(place(index))
        case .visit, .close, .closeDuring, .cancel, .warmUp, .validateAsync: break
        }
    }

    private func change(_ container: Container, by operation: Program.Operation) {
        let count = world.kept.value.count
        world.change(container, by: operation)
        guard expectation != nil else { return }
        ownPlaces += world.kept.value.dropFirst(count).suffix(1)
    }

    private func close(_ index: Int) async {
        guard places.cyclicIndex(index) > 0 else { return }
        do {
            try await place(index).close()
        } catch {
            history.fail("place \(places.cyclicIndex(index)) does not close: \(error)")
        }
    }

    // MARK: - Asking

    func inSpace<Result>(
        of container: Container,
        _ body: () throws -> Result
    ) rethrows -> Result {
        try withSpace(\.dependenciesContainer, container) {
            try SpaceMark.$isSet.withValue(true) { try body() }
        }
    }

    private func resolve(_ index: Int, _ request: Program.Request) {
        let container = place(index)
        var request = request
        if request.way.isTrapping, let expectation,
            !expectation.isCertain(request, in: places.cyclicIndex(index))
        {
            request.way = .require
        }
        let start = expectation?.begin(request, of: container, in: world)
        let result = Result { try inSpace(of: container) { try ask(request, container) } }
        keep(result, request, index, since: start)
    }

    func ask(_ request: Program.Request, _ container: Container) throws -> Item {
        let (name, view) = (ItemName(request.service), container.view(for: request))
        return try world.inTurn(world.takesTurn(request, of: container)) {
            switch request.way {
            case .lazy: try view.require(Lazy<Item>.self, name: name).instance
            case .provider: try view.require(Provider<Item>.self, name: name).instance
            case .property: Injected<Item>(name).wrappedValue
            default: try view.ask(request)
            }
        }
    }

    private func resolveInGraph(_ requests: [Program.Request], in container: Container) {
        inSpace(of: container) {
            container.withObjectGraph(GraphIdentifier()) { container in
                for request in requests { keep(Result { try ask(request, container) }, request) }
            }
        }
    }

    private func override(
        _ service: Int,
        by recipe: Program.Recipe,
        in container: Container,
        _ request: Program.Request
    ) {
        inOverride(
            of: container,
            register: { world.register(service, recipe, in: $0) },
            operation: { fork in
                var request = request
                if expectation != nil, request.way.isTrapping { request.way = .require }
                keep(Result { try ask(request, fork) }, request)
            }
        )
    }

    private func inOverride(
        of container: Container,
        register: (Container) -> Void = { _ in },
        operation: (Container) -> Void
    ) {
        inSpace(of: container) {
            withSpace(
                overriding: { fork in
                    world.addPlace(fork, isFork: true)
                    register(fork)
                },
                operation: {
                    let fork = SpaceValues.current.dependenciesContainer
                    operation(fork)
                    // From now on nobody but what was made there holds the fork.
                    world.removePlace(fork)
                }
            )
        }
    }

    private func keep(
        _ request: Program.Request,
        _ index: Int,
        _ ask: () async throws -> Item
    ) async {
        let start = expectation?.begin(request, of: place(index), in: world)
        do {
            keep(.success(try await ask()), request, index, since: start)
        } catch {
            keep(.failure(error), request, index, since: start)
        }
    }

    private func keep(
        _ result: Result<Item, any Error>,
        _ request: Program.Request,
        _ index: Int? = nil,
        since start: LaneExpectation.Start? = nil
    ) {
        switch result {
        case .success(let item):
            history.note("got #\(item.number)")
            if item.service != request.service {
                history.fail("got \(item.service) for \(request.service)")
            }
            if let expectation {
                expectation.judge(item, request, held: held, since: start, history)
            }
            held.append(item)
        case .failure(let error):
            history.note("got \(World.kind(of: error))")
            expectation?.judge(error, request, index.map(places.cyclicIndex), history)
        }
    }

    private func cancel(_ request: Program.Request, _ index: Int) async {
        let container = place(index)
        let start = expectation?.begin(request, of: container, in: world)
        let (result, _) = await world.canceling { [world] in
            try await world.resolve(request, container)
        }
        if expectation != nil, case .failure(is CancellationError) = result { return }
        keep(result, request, index, since: start)
    }

    private func warmUp(_ index: Int, _ width: Int, isCanceled: Bool) async {
        let container = place(index)
        let warm = { @Sendable [world] in
            _ = try await world.inSpace(of: container) {
                try await container.warmUp(width: width)
            }
        }
        do {
            if isCanceled {
                try await world.canceling(warm).result.get()
            } else {
                try await warm()
            }
            history.note("warmed up")
        } catch {
            history.note("warmed up: \(World.kind(of: error))")
            if isCanceled, error is CancellationError { return }
            expectation?.judge(error, nil, nil, history)
        }
    }

    private func collect(_ container: Container) {
        do {
            let all = try container.require([Item].self)
            history.note("got \(all.map { "#\($0.number)" })")
        } catch {
            history.note("got \(World.kind(of: error))")
            expectation?.judge(error, nil, nil, history)
        }
    }

    // MARK: - Using what is held

    /// Uses what an instance has kept; in the setup only what the reference could use.
    func use(_ index: Int, allowed: [Bool]) async {
        for (place, deferral) in deferrals(index).enumerated() {
            if expectation == nil, !(place < allowed.count && allowed[place]) { continue }
            if expectation != nil, deferral.request.way.isTrapping { continue }
            do {
                let item = try await world.inTurn(deferral.takesTurn) {
                    try await deferral.askAsync()
                }
                note(item, by: deferral)
            } catch {
                history.note("used \(deferral.request): \(World.kind(of: error))")
            }
        }
    }

    /// Uses what the reference could use, in an override of a place.
    func visit(_ index: Int, in place: Int, allowed: [Bool]) {
        inOverride(of: self.place(place)) { _ in
            for (deferral, isAllowed) in zip(deferrals(index), allowed) where isAllowed {
                let used = Result { try deferral.ask() }
                history.note("used \(deferral.request): \(text(of: used))")
            }
        }
    }

    private func text(of result: Result<Item, any Error>) -> String {
        switch result {
        case .success(let item): "#\(item.number)"
        case .failure(let error): World.kind(of: error)
        }
    }

    private func useNow(_ index: Int) {
        for deferral in deferrals(index) where deferral.request.way == .resolver {
            if let item = try? deferral.ask() { note(item, by: deferral) }
        }
    }

    private func deferrals(_ index: Int) -> [Deferral] {
        held.isEmpty ? [] : held[cyclic: index].allDeferrals
    }

    private func note(_ item: Item, by deferral: Deferral) {
        history.note("used \(deferral.request): #\(item.number)")
        // What is used while its container closes has no time to be known.
        if expectation == nil || !world.program.changesInLanes {
            history.noteNeed(of: deferral.owner, item.number)
        }
    }
}
