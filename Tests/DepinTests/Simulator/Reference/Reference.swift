/// The model: what every request must give, one after the other, told apart from the library.
///
/// It interprets the same program as the ``World`` and notes the same events.
final class Reference {
    struct Failure: Error, Equatable {
        let kind: String
        init(_ kind: String) { self.kind = kind }
    }

    let features: Features
    private(set) var places: [ReferenceContainer] = []
    private(set) var held: [ReferenceInstance] = []
    private(set) var events: [String] = []
    /// The numbers of all that must have been closed.
    private(set) var closed: Set<Int> = []
    /// Those that nobody keeps, which close by the end.
    private(set) var discarded: Set<Int> = []
    /// Those of which nothing is said: an open scope had them when their registration was removed.
    private(set) var uncertain: Set<Int> = []
    /// Counts operations.
    private(set) var time = 0
    private var placeCount = 0
    private var instanceCount = 0
    private(set) var registrationCount = 0
    private var failures: [Int: Int] = [:]
    /// The containers in force in the space.
    var spaces: [ReferenceContainer] = []
    /// What happens in the first factory that runs.
    var onFirstBuild: ((ReferenceContainer) -> Void)?
    /// Whether the factory that was under way when a container closed was one of that container.
    var closingWaits = false
    /// Whether the task that asks has been canceled.
    private(set) var isCanceled = false
    /// What overrides have made.
    var overrides: [ReferenceContainer] = []
    /// What is to be closed of that.
    private var overridden: Set<Int> = []
    /// What is kept until it closes, and holds what it needs.
    private var waiting: [ReferenceInstance] = []
    /// What the operation has made to ask for later, and whether that holds its container.
    private var made: [ReferenceDeferral] = []
    private var isOnlyUnshared = true
    private var all: [WeakInstance] = []

    private struct WeakInstance {
        weak var instance: ReferenceInstance?
    }

    init(_ features: Features) {
        self.features = features
        places = [ReferenceContainer(0)]
    }

    deinit {
        for place in places { place.dissolve() }
        for one in all { one.instance?.dissolve() }
    }

    func note(_ event: String) { events.append(event) }

    // MARK: - What it counts

    func makeInstance(_ service: Int, inner: ReferenceInstance? = nil) -> ReferenceInstance {
        instanceCount += 1
        let instance = ReferenceInstance(instanceCount, service, inner: inner)
        all.append(WeakInstance(instance: instance))
        return instance
    }

    func makeRegistration(
        _ service: Int,
        _ recipe: Program.Recipe
    ) -> ReferenceContainer.Registration {
        registrationCount += 1
        return ReferenceContainer.Registration(registrationCount, service, recipe)
    }

    /// Whether the factory fails this time.
    func fails(_ registration: ReferenceContainer.Registration) -> Bool {
        failures[registration.number, default: 0] += 1
        return failures[registration.number, default: 0] <= registration.recipe.failures
    }

    func noteShared() { isOnlyUnshared = false }

    func noteMade(_ deferral: ReferenceDeferral) { made.append(deferral) }

    // MARK: - Places

    func place(_ index: Int) -> ReferenceContainer { places[cyclic: index] }

    /// Makes a place with a number that none has had.
    func addPlace(_ make: (Int) -> ReferenceContainer) {
        placeCount += 1
        places.append(make(placeCount))
    }

    /// A place for as long as the body runs.
    func withPlace(
        _ make: (Int) -> ReferenceContainer,
        _ body: (ReferenceContainer) -> Void
    ) {
        addPlace(make)
        let fork = places[places.count - 1]
        body(fork)
        places.removeAll { $0 === fork }
        fork.number = nil
    }

    func close(_ container: ReferenceContainer) {
        let closing = container.close(withForks: features.contains(.closingForks))
        closed.formUnion(closing.map(\.instance.number))
        // A weak one may end with what closes before it, unless somebody else holds it.
        let reached = reachedFromHeld
        leaveOpen(
            closing.filter { $0.isWeak && !reached.contains($0.instance.number) }.map(\.instance)
        )
    }

    /// Whether an open scope goes for sure when its place is dropped: nothing else holds it.
    func mayLeave(_ container: ReferenceContainer) -> Bool {
        guard container.opened != nil, !container.isClosed, !container.isFork,
            container.children.isEmpty, container.forks.isEmpty
        else { return false }
        return all.allSatisfy { one in
            one.instance?.deferrals.allSatisfy { deferral in
                deferral.isKept || !deferral.container.chain.contains { $0 === container }
            } ?? true
        }
    }

    func leave(_ index: Int) { places.remove(at: places.cyclicIndex(index)).leave() }

    private var reachedFromHeld: Set<Int> {
        var reached: Set<Int> = []
        var next = held
        while let instance = next.popLast() {
            guard reached.insert(instance.number).inserted else { continue }
            next += instance.held
        }
        return reached
    }

    // MARK: - Requests of operations

    /// An outermost request.
    func ask(
        _ request: Program.Request,
        of container: ReferenceContainer,
        in graph: ReferenceGraph? = nil,
        endsGraph: Bool = true
    ) throws(Failure) -> ReferenceInstance {
        let resolution = ReferenceResolution(self, graph ?? ReferenceGraph())
        defer { if endsGraph { resolution.graph.end() } }
        return try resolution.request(request, of: container)
    }

    func keep(_ ask: () throws(Failure) -> ReferenceInstance) {
        do throws(Failure) {
            let instance = try ask()
            note("got #\(instance.number)")
            held.append(instance)
        } catch {
            note("got \(error.kind)")
        }
    }

    func collect(_ container: ReferenceContainer) {
        let resolution = ReferenceResolution(self, ReferenceGraph())
        defer { resolution.graph.end() }
        do throws(Failure) {
            let all = try resolution.collect(container)
            note("got \(all.map { "#\($0.number)" })")
        } catch {
            note("got \(error.kind)")
        }
    }

    func drop(_ index: Int) {
        if !held.isEmpty { held.remove(at: held.cyclicIndex(index)) }
    }

    /// Whether these close is nobody's promise.
    func leaveOpen(_ instances: [ReferenceInstance]) {
        uncertain.formUnion(instances.map(\.innermost.number))
    }

    func discard(_ instance: ReferenceInstance) {
        discarded.insert(instance.number)
        waiting.append(instance)
    }

    func closeAtOnce(_ instance: ReferenceInstance) { closed.insert(instance.number) }

    /// What overrides have made, and what was made since in what has come of them, closes by the end.
    func discardOverrides() {
        let known = overridden
        overridden = []
        for fork in overrides {
            let outermost = fork.chain[fork.chain.count - 1]
            overridden.formUnion(outermost.closingInside.map(\.number))
            // A weak one may have ended, unless somebody holds it.
            leaveOpen(fork.closingWeak)
        }
        discarded.formUnion(overridden)
        // What a reset has dropped, or a closing has closed.
        let gone = known.subtracting(overridden)
        discarded.subtract(gone)
        uncertain.formUnion(gone)
    }

    /// A factory has begun.
    func noteBuild(in home: ReferenceContainer) {
        defer { onFirstBuild = nil }
        onFirstBuild?(home)
    }

    /// Does something in a task that is canceled when the first factory runs.
    func canceling(_ body: () -> Void) {
        onFirstBuild = { _ in self.isCanceled = true }
        body()
        onFirstBuild = nil
        isCanceled = false
    }

    /// Begins an operation, after which is known what holds its container.
    func beginOperation() {
        (made, isOnlyUnshared) = ([], true)
        time += 1
    }

    func endOperation() {
        for deferral in made { deferral.holdsContainer = isOnlyUnshared }
        made = []
    }
}
