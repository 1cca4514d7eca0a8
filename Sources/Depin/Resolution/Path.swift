/// The resolution in progress on a thread: the factories that are running, outermost first.
///
/// A request on a thread with one joins it, whichever way it comes: through the resolver that the
/// factory was handed, the container it captured, or an `@Injected` property. It belongs to one thread.
final class Path {
    /// A registration whose factory or callbacks are running, or a graph that was entered.
    struct Step {
        /// What is being built; nil where a graph was only entered, by `withObjectGraph` or a `Lazy`.
        let entry: AnyServiceEntry?
        let traits: AnyServiceEntry.Traits
        /// The container whose resolver the factory has.
        let asked: Core
        /// Keeps that container open; nil in what a container keeps.
        let owner: CoreOwner?
        let arguments: Arguments?
        let injectedAt: CodePlace?
        /// The step in which the graph began, which holds it.
        fileprivate(set) var root = 0
        fileprivate(set) var graph: ObjectGraph?
        /// The generation of a shared entry that is being built.
        var generation: UInt32 = 0
        /// The instance that this step, or one within it, has built of a shared entry.
        fileprivate(set) var product: AnyBox?
        /// The factory has returned; callbacks are running.
        fileprivate(set) var isCompleting = false
        let beginsGraph: Bool

        /// What the factory resolves from.
        var resolver: any Resolver {
            if let owner { return owner }
            return asked
        }

        /// True where the container keeps what is being built.
        var isKept: Bool { entry != nil && traits.kind.keeps }
    }

    /// How often one registration may be entered within itself with arguments that differ.
    static let depthLimit = 100
    /// How many steps after its outermost one a registration may be entered again: rings of many have
    /// used up a stack of 8 MB, at up to 15 kB a step in an unoptimized build, before one of them has
    /// been entered a hundred times.
    static let stepLimit = 200

    let places = Places()
    // PERF: unchecked, because nobody else can use a thread's own object: the checks took a tenth of row 4.
    @exclusivity(unchecked) private(set) var steps: ContiguousArray<Step> = []
    /// How many of the steps build what a container keeps.
    @exclusivity(unchecked) private(set) var keptSteps = 0

    /// Lends the thread's path.
    @inline(__always)
    static func withCurrent<Result>(_ body: (Path) throws -> Result) rethrows -> Result {
        try CurrentThread.withObject(Path.init, body)
    }

    // MARK: - Steps

    /// Runs a body one step further: the only way to enter a step, and to leave it.
    ///
    /// - Throws: `ResolutionError`, for a cycle, for a main-actor factory off the main thread, and in
    ///   place of what the body throws.
    @inline(__always)
    func step<Result>(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        asked: Core,
        owner: CoreOwner?,
        for request: Request,
        generation: UInt32 = 0,
        _ body: (_ index: Int) throws -> Result
    ) throws -> Result {
        let step = Step(
            entry: entry,
            traits: traits,
            asked: asked,
            owner: owner,
            arguments: request.arguments,
            injectedAt: request.injectedAt,
            generation: generation,
            beginsGraph: request.beginsGraph
        )
        if !steps.isEmpty { try check(step) }
        if traits.contains(.isMainActor), !CurrentThread.isMain {
            throw error(.offMainActor, at: step)
        }
        let index = enter(step)
        defer { leave() }
        do {
            return try body(index)
        } catch {
            throw failure(error, at: index)
        }
    }

    /// Runs a body in which what is resolved belongs to a graph.
    func within<Result>(
        _ graph: ObjectGraph,
        asked: Core,
        owner: CoreOwner?,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let step = Step(
            entry: nil,
            traits: [],
            asked: asked,
            owner: owner,
            arguments: nil,
            injectedAt: nil,
            graph: graph,
            beginsGraph: true
        )
        _ = enter(step)
        defer { leave() }
        return try body()
    }

    @inline(__always)
    private func enter(_ step: consuming Step) -> Int {
        let index = steps.count
        step.root = step.beginsGraph || index == 0 ? index : steps[index - 1].root
        if step.isKept { keptSteps += 1 }
        steps.append(step)
        return index
    }

    @inline(__always)
    private func leave() {
        let step = steps.removeLast()
        if step.isKept { keptSteps -= 1 }
        if let graph = step.graph { Self.end(graph) }
    }

    private static func end(_ graph: ObjectGraph) {
        let ended = graph.end()
        for case let gate as KeptGate in ended.company { gate.complete() }
    }

    // MARK: - The graph

    /// The graph that a new step belongs to, if it has been made.
    func graph(for request: Request) -> ObjectGraph? {
        guard !request.beginsGraph, let last = steps.last else { return nil }
        return steps[last.root].graph
    }

    /// The graph that a step belongs to, made when first needed.
    func madeGraph(of index: Int) -> ObjectGraph {
        let root = steps[index].root
        if let graph = steps[root].graph { return graph }
        let graph = ObjectGraph()
        steps[root].graph = graph
        return graph
    }

    /// Lends the graph under way, or else one that ends with the body.
    func withGraph<Result>(
        asked: Core,
        _ body: (ObjectGraph) throws -> Result
    ) rethrows -> Result {
        if !steps.isEmpty { return try body(madeGraph(of: steps.count - 1)) }
        let graph = ObjectGraph()
        return try within(graph, asked: asked, owner: nil) { try body(graph) }
    }

    // MARK: - Cycles

    /// A step to a registration that is on the path already is a cycle, unless the path has since
    /// entered the callbacks of an instance that is kept: from there the way back ends.
    private func check(_ step: borrowing Step) throws {
        let entry = step.entry
        var entered = 0
        var outermost = 0
        var hasCompleted = false
        var isRepeated = false
        for index in steps.indices.reversed() {
            if steps[index].isCompleting && steps[index].traits.kind != .transient {
                hasCompleted = true
            }
            guard steps[index].entry === entry else { continue }
            entered += 1
            outermost = steps.count - index
            if !hasCompleted, !isRepeated, steps[index].asked === step.asked {
                isRepeated = Arguments.isEqual(steps[index].arguments, step.arguments)
            }
        }
        if isRepeated {
            throw error(.circularDependency(otherPath: []), at: step)
        }
        if entered >= Self.depthLimit || outermost >= Self.stepLimit {
            throw error(.recursionTooDeep(entered), at: step)
        }
    }

    // MARK: - Shared instances

    /// The instance of a shared entry that this thread has built but not finished.
    func ownProduct(of entry: AnyServiceEntry) -> AnyBox? {
        for step in steps.reversed() where step.entry === entry {
            if let product = step.product { return product }
        }
        return nil
    }

    /// The generation of a shared entry that this thread is building.
    func begunGeneration(of entry: AnyServiceEntry) -> UInt32? {
        steps.last { $0.entry === entry }?.generation
    }

    /// Lets every step that builds the same entry know the instance that is kept.
    func setProduct(_ product: AnyBox, of entry: AnyServiceEntry) {
        for index in steps.indices where steps[index].entry === entry {
            if steps[index].product == nil { steps[index].product = product }
        }
    }

    /// Notes that a step's factory has returned.
    func complete(_ index: Int) {
        steps[index].isCompleting = true
    }

    /// True where a callback of an instance that is kept makes the requests.
    var isInCallback: Bool { steps.contains { $0.isCompleting && $0.traits.kind != .transient } }

    // MARK: - Owners

    /// True where what a container makes is for what it, or a parent of it, keeps.
    func isKept(by core: Core) -> Bool {
        guard keptSteps > 0 else { return false }
        return steps.contains { step in
            step.isKept && step.entry.map { entry in core.chain.contains { $0 === entry.sink } } == true
        }
    }

    /// True where the instance being made, or one that it is made for, is kept by its scope.
    var isForKept: Bool { keptSteps > 0 }

    // MARK: - Errors

    /// The steps as messages show them.
    var forError: [ResolutionError.Step] {
        steps.compactMap { step in
            guard let entry = step.entry else { return nil }
            return ResolutionError.Step(
                request: request(of: step),
                registeredAt: entry.place,
                isCompleting: step.isCompleting
            )
        }
    }

    /// How many factories are running.
    var depth: Int { steps.count { $0.entry != nil } }

    func error(_ failure: ResolutionError.Failure, at step: borrowing Step) -> ResolutionError {
        ResolutionError(failure, request(of: copy step), path: forError)
    }

    private func failure(_ error: any Error, at index: Int) -> any Error {
        guard let error = error as? ResolutionError else {
            return self.error(.factoryFailed(error), at: steps[index])
        }
        return hasPassedHere(error) ? error : error.preceded(by: forError)
    }

    /// True when an error comes from within the steps under way, which its path then begins with.
    ///
    /// A factory may also pass on an error of another thread, or one that it has kept.
    private func hasPassedHere(_ error: ResolutionError) -> Bool {
        let known = steps.lazy.filter { $0.entry != nil }
        guard depth <= error.path.count else { return false }
        return zip(known, error.path).allSatisfy { step, known in
            guard let entry = step.entry else { return false }
            return known.registeredAt == entry.place && known.request.name == entry.key.name
                && known.request.serviceType == entry.serviceType
        }
    }

    private func request(of step: Step) -> ResolutionError.Request {
        guard let entry = step.entry else {
            preconditionFailure("a step that builds nothing has no request")
        }
        return ResolutionError.Request(entry.key, injectedAt: step.injectedAt)
    }
}

/// A storage that was used in a graph, and is told when that ends.
final class KeptGate {
    private let gate: StorageGate
    private let keeper: any RegistrationSink

    init(_ gate: StorageGate, _ keeper: any RegistrationSink) {
        self.gate = gate
        self.keeper = keeper
    }

    func complete() {
        func complete(_ keeper: some GateKeeper) {
            // What cannot wait for the storage without a deadlock does not tell it.
            try? gate.enter(keeper) { $0.graphResolutionCompleted() }
        }
        complete(keeper)
    }
}
