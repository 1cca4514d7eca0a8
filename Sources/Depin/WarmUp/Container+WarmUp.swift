extension Container {
    /// Makes every service that is marked ``ServiceEntry/eager()``, here and in the parents.
    ///
    /// ```swift
    /// let report = try await container.warmUp(width: 4)
    /// print(report)
    /// ```
    ///
    /// A service begins when its declared dependencies that are eager have ended. Asynchronous services come first.
    /// After them comes what may request one and cannot await it: a plain factory that takes a resolver, and what has
    /// a decorator or a callback that is not asynchronous. Services of the main actor are made there. Each is made
    /// once, whatever else requests it meanwhile. The report names what is marked as eager in vain: services with
    /// runtime arguments, registrations for any name, and those whose scope is not open here, which are left out, and
    /// those that no scope keeps.
    ///
    /// After a failure nothing more begins. You may call it again: ready services are not made again. Where the
    /// container is overridden, for example in a test, the services of the override are made.
    ///
    /// - Parameter width: How many services to make at a time.
    /// - Returns: The services that were made, and how long each took.
    /// - Throws: The first failure, a ``ResolutionError`` or `CancellationError`, after the builds in
    ///   progress have ended; a ``ResolutionError`` if the container has been closed.
    @discardableResult
    public func warmUp(width: Int = 4) async throws -> WarmUpReport {
        precondition(width > 0, "Depin: a width of \(width) would make nothing")
        let container = overridden
        let engine = container.engine
        try engine.checkIsOpen(for: "warmUp")
        let plan = WarmUpPlan(of: engine)
        let recorder = WarmUpRecorder(plan.numbers)
        for engine in engine.chain { engine.observe(by: recorder) }
        defer { for engine in engine.chain { engine.endObserving(by: recorder) } }
        let owner = container.owner
        await withTaskGroup(of: WarmUpPlan.Ended.self) { group in
            repeat {
                plan.startTasks(in: &group, width: width, owner)
            } while plan.noteEnd(await group.next())
        }
        if let failure = plan.failure { throw failure }
        var report = recorder.report(width: width)
        report.idle = plan.idle
        return report
    }
}

/// The services that a warm-up has to make, and their order.
private final class WarmUpPlan {
    typealias Ended = (number: UInt, failure: (any Error)?)

    private final class Item {
        let asked: Engine
        let key: ServiceKey
        let found: Found
        /// The numbers of the registrations that must end first.
        var needs = RareSet<UInt>()
        /// The item begins when all asynchronous services of a lower rank have ended: 0 for one whose needs are known,
        /// or are awaited.
        var rank = 0

        init(_ key: ServiceKey, of asked: Engine, _ found: Found) {
            (self.key, self.asked, self.found) = (key, asked, found)
        }

        var number: UInt { found.registration.number }
        var isAsync: Bool { found.isAsync }
    }

    private let engine: Engine
    /// The items that have not begun.
    private var waiting: [Item] = []
    private var running: [Item] = []
    /// The numbers of all registrations to make.
    private(set) var numbers = RareSet<UInt>()
    /// The registrations that are eager in vain: the service, its line and the reason.
    private(set) var idle: [String] = []
    /// The first failure, after which nothing begins.
    private(set) var failure: (any Error)?

    @_optimize(size)
    init(of engine: Engine) {
        self.engine = engine
        var seen = RareSet<ObjectIdentifier>()
        for holder in engine.chain {
            let eager = holder.registry.inOrder { $0.registration.traits.contains(.isEager) }
            for slot in eager {
                let (registration, key) = (slot.registration, slot.key.requested)
                // Another registration may answer for the key here, and where this one stands.
                let asked = [engine, holder].first { $0.find(key)?.registration === registration }
                guard let asked, let found = asked.find(key),
                    seen.insert(ObjectIdentifier(found.slot))
                else { continue }
                if let obstacle = engine.obstacle(toWarmingUp: registration) {
                    // Only once for each registration, however many types forward to it.
                    guard seen.insert(ObjectIdentifier(registration)) else { continue }
                    idle.append("\(registration.words): \(obstacle.reason)")
                    guard obstacle.isMade else { continue }
                }
                waiting.append(Item(key, of: asked, found))
                numbers[registration.number] = ()
            }
        }
        // Asynchronous services begin first.
        waiting = waiting.ordered { $0.isAsync && !$1.isAsync }
        addNeeds()
    }

    /// Sets the needs and the ranks of the items.
    ///
    /// What may request asynchronous services, and cannot await them, begins after those that are awaited: first the
    /// asynchronous services of which this is true, with all that they need, and then the rest.
    private func addNeeds() {
        var early = RareSet<UInt>()
        for item in waiting {
            item.rank = addNeeds(of: item) ? 0 : item.isAsync ? 1 : 2
            if item.isAsync { for (number, _) in item.needs.all { early[number] = () } }
        }
        for item in waiting where early.contains(item.number) { item.rank = min(item.rank, 1) }
    }

    /// Adds what an item needs, directly or not, as far as it is declared; true if nothing else can be requested that
    /// is not awaited.
    ///
    /// What is behind the need of another item is left to that item, except for asynchronous ones: all that those need
    /// begins early.
    private func addNeeds(of item: Item) -> Bool {
        var (seen, rest, isKnown) = (RareSet<UInt>(), [item.found], true)
        while let next = rest.popLast() {
            isKnown = isKnown && next.hasKnownNeeds
            let made = next.innermost
            let asked = next.registration.kind.isUnshared ? engine : engine.home(of: made).engine
            for (_, found) in (next.registration.dependencies ?? []).flatMap({ asked.direct($0) })
            where seen.insert(found.slot.number) {
                let isPlanned = numbers.contains(found.registration.number)
                if isPlanned { item.needs[found.registration.number] = () }
                if !isPlanned || item.isAsync { rest.append(found) }
            }
        }
        item.needs[item.number] = nil
        return isKnown
    }

    /// Begins items, up to the width.
    // Apart: the compiler writes a loop once more for each `await` around it.
    func startTasks(in group: inout TaskGroup<Ended>, width: Int, _ owner: Owner?) {
        if Task.isCancelled { failure = failure ?? CancellationError() }
        while failure == nil, running.count < width, let item = next() {
            running.append(item)
            let (asked, number) = (item.asked, item.number)
            let request = Engine.Request(item.key, nil, owner?.owner(of: asked))
            group.addTask {
                do {
                    _ = try await asked.needed(request, by: nil)
                    return (number, nil)
                } catch {
                    return (number, error)
                }
            }
        }
    }

    /// The next item whose needs have ended; or any item, if nothing is under way.
    private func next() -> Item? {
        let lowest = (waiting + running).filter(\.isAsync).map(\.rank).min() ?? .max
        let free = waiting.firstIndex { $0.needs.isEmpty && $0.rank <= lowest }
        let next = free ?? (running.isEmpty ? waiting.indices.first : nil)
        return next.map { waiting.remove(at: $0) }
    }

    /// Notes that an item has ended; false if nothing is left.
    func noteEnd(_ ended: Ended?) -> Bool {
        guard let (number, failure) = ended else { return false }
        if let index = running.firstIndex(where: { $0.number == number }) {
            running.remove(at: index)
        }
        self.failure = self.failure ?? failure
        for item in waiting { item.needs[number] = nil }
        return true
    }
}

extension Found {
    /// True if synchronous code requests nothing beyond the declared needs.
    package var hasKnownNeeds: Bool {
        let traits = registration.traits
        let isKnown =
            registration.dependencies != nil || !traits.isDisjoint(with: [.asksNothing, .isAsync])
        return isKnown && allDecorators.allSatisfy(\.isAsync) && !traits.contains(.hasCallbacks)
    }
}

extension Engine {
    /// Why a warm-up leaves an eager service not ready, and what to do; and whether an instance is made nevertheless,
    /// and goes.
    package typealias WarmUpObstacle = (reason: String, fix: String, isMade: Bool)

    /// Why warming up this container leaves no instance of a registration; nil if it does leave one.
    package func obstacle(toWarmingUp registration: Registration) -> WarmUpObstacle? {
        let (key, scope) = (registration.key, registration.scopeName)
        let fix = "remove `.eager()`"
        if key.isForAnyName {
            let fix = "\(fix), or register it under a name"
            return ("it takes the name of the request", fix, false)
        }
        if !key.argumentTypes.isEmpty {
            return ("it takes arguments, which only a request has", fix, false)
        }
        switch registration.kind {
        case .transient, .graph, .weak:
            let fix = "choose a scope such as `.container`, or \(fix)"
            return ("scope \(scope) keeps nothing", fix, true)
        case .opened where nearestOpenScope(of: registration) == nil:
            let fix = "call `warmUp()` on the scope once it is open, or \(fix)"
            return ("scope \(scope) is not open here", fix, false)
        case .permanent, .stored, .opened:
            return nil
        }
    }
}

/// Records the services that are made for the eager ones, and their needs.
private final class WarmUpRecorder: EngineObserver {
    private let eager: RareSet<UInt>
    private let start = ContinuousClock.now
    private let services = Guarded([WarmUpReport.Service]())
    /// Pairs of registrations' numbers: the first needed the second.
    private let needs = Guarded(RareSet<[UInt]>())

    init(_ eager: RareSet<UInt>) {
        self.eager = eager
    }

    var isInherited: Bool { false }

    func ended(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {
        guard let registration = observation.found?.registration else { return }
        // The innermost first.
        let builders = path.steps.compactMap { $0.pointee.registration?.number }
        if let builder = builders.first {
            needs.withLock { $0[[builder, registration.number]] = () }
        }
        guard observation.outcome == .built,
            eager.contains(builders.last ?? registration.number)
        else { return }
        let duration = observation.duration ?? .zero
        let service = WarmUpReport.Service(
            number: registration.number,
            request: request.forError,
            registeredAt: registration.place,
            start: ContinuousClock.now - duration - start,
            duration: duration
        )
        services.withLock { $0.append(service) }
    }

    func report(width: Int) -> WarmUpReport {
        let (services, needs) = (services.withLock(\.copied), needs.withLock(\.copied))
        return WarmUpReport(services, needs: needs, width: width, took: ContinuousClock.now - start)
    }
}
