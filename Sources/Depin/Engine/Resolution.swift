import Synchronization

/// The resolution in progress on a thread: what its factories and callbacks make, as a path of steps.
///
/// A request on a thread with one joins it, whichever way it comes: through the resolver that the
/// factory was handed, the container it captured, or an `@Injected` property. It belongs to one thread.
package final class Resolution {
    /// Names the thread forever, as its address does not.
    let number = Serial.next()
    /// Where a validation runs the factories on this thread.
    package var executor: (any FactoryExecutor)?
    // Nobody else can use a thread's own object.
    private(set) var innermost: Path = nil
    /// The containers to which assemblies and the like are registering.
    private(set) var registering: [Engine] = []

    package init() {}

    /// Lends the thread's own.
    @inline(__always)
    package static func withCurrent<Result>(_ body: (Resolution) throws -> Result) rethrows
        -> Result
    {
        try CurrentThread.withObject(Resolution.init, body)
    }

    /// The innermost step: the thread's own, or where it has none, that of the task in force.
    @inline(__always)
    package var path: Path {
        if let innermost { return innermost }
        return TaskFrame.current?.step
    }

    // MARK: - Steps

    /// Runs a body one step further, whose work has begun: the only way to enter a step of a thread that makes
    /// something, and to leave it.
    @inline(__always)
    func run<Result>(
        _ step: inout Step,
        _ body: (UnsafeMutablePointer<Step>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutablePointer(to: &step) { step in
            defer { step.pointee.endWork() }
            // Outside the step: what goes with the graph may ask, and gets nothing of what has ended.
            defer { step.pointee.graph?.endResolution() }
            return try within(step) { try body(step) }
        }
    }

    /// Runs a body in a step that makes nothing, and ends the graph that may begin there.
    func inside<Result>(_ step: consuming Step, _ body: () throws -> Result) rethrows -> Result {
        try withUnsafeMutablePointer(to: &step) { step in
            defer { step.pointee.graph?.endResolution() }
            return try within(step, body)
        }
    }

    /// Runs a body on a path that is there already.
    @inline(__always)
    func within<Result>(_ path: Path, _ body: () throws -> Result) rethrows -> Result {
        let outer = innermost
        innermost = path
        defer { innermost = outer }
        return try body()
    }

    /// Runs a body as a part of a task, whatever the thread is in the middle of.
    static func joining<Result>(
        _ frame: TaskFrame,
        at step: Path = nil,
        _ body: (Resolution) throws -> Result
    ) rethrows -> Result {
        try withCurrent { resolution in
            let registering = resolution.registering
            resolution.registering = []
            defer { resolution.registering = registering }
            return try resolution.within(step ?? frame.step) { try body(resolution) }
        }
    }

    /// True where main-actor factories can run.
    package var hasMainActor: Bool {
        if let executor, executor.mainActor != .nowhere { return true }
        return CurrentThread.isMain
    }

    // MARK: - Graphs

    /// Runs a body whose requests belong to the graph under way, or else to one that ends with the body.
    // Compiled once, and not for each result: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    func inGraph<Result>(
        of engine: Engine,
        beginsGraph: Bool = false,
        _ body: () throws -> Result
    ) rethrows -> Result {
        guard path == nil || beginsGraph else { return try body() }
        var step = Step(in: engine, after: path)
        step.beginWork()
        return try run(&step) { _ in try body() }
    }

    /// Runs a body in which what is resolved belongs to a graph.
    // Compiled once, and not for each result, which is also quicker (row 15-closer: a twentieth).
    @_semantics("optimize.sil.specialize.generic.never")
    package func within<Result>(
        _ graph: ObjectGraph,
        of engine: Engine,
        _ owner: Owner?,
        _ body: () throws -> Result
    ) rethrows -> Result {
        graph.begin()
        var step = Step(in: engine, graph: graph, after: path)
        step.owner = owner
        step.beginWork()
        return try run(&step) { _ in try body() }
    }

    /// Gives up what is under way, for a thread that never goes back through its steps.
    @_optimize(size)
    package func giveUp() {
        for step in path.steps {
            // What is further out is the validation's own, which goes on.
            if step == executor?.outerPath { break }
            if let building = step.pointee.building, let slot = step.pointee.slot {
                step.pointee.engine.giveUp(building, of: slot)
            }
            step.pointee.graph?.endResolution()
            step.pointee.endWork()
        }
    }

    // MARK: - Registering

    /// Runs a body that registers: what it makes is kept, as an instance or by a factory.
    func registering(on engine: Engine, _ body: () throws -> Void) rethrows {
        registering.append(engine)
        defer { registering.removeLast() }
        try body()
    }

    /// True where nothing is built or registered.
    var isIdle: Bool { path == nil && registering.isEmpty }
}

extension Path {
    /// A wait on behalf of everything that cannot end before it does.
    func wait(for number: UInt) -> Wait {
        var blocked: [UInt] = []
        for step in steps {
            if let building = step.pointee.building { blocked.append(building.number) }
            guard step.pointee.isUnderWay else { continue }
            blocked += step.pointee.engine.chain.map(\.number)
        }
        let wait = Wait(for: number, blocking: blocked)
        wait.path = forError
        wait.isFromCallback = isInCallback
        return wait
    }
}

/// A step of a task: an asynchronous factory that is running, or a graph that was entered.
///
/// It goes with its task, and the tasks that this one starts, by a task-local value. It holds what its step names.
package final class TaskFrame: Sendable {
    @TaskLocal private static var innermost: TaskFrame?
    /// How many there are that have not ended: while there is none, nobody pays for looking.
    private static let count = Atomic<Int>(0)

    // Relaxed, because a task looks for its own, or for that of a task around it, and sees that it was counted.
    private static var isInUse: Bool { count.load(ordering: .relaxed) > 0 }

    // It never changes once the task has begun, so any thread may read it.
    package nonisolated(unsafe) let step: UnsafeMutablePointer<Resolution.Step>
    private let parent: TaskFrame?
    private let held: (Slot?, Engine, Engine, Owner?, Arguments?)
    /// Set when the step has ended: a task that goes on by itself begins anew then.
    private let hasEnded = Atomic(false)
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// The innermost frame of this task that has not ended.
    @inline(__always)
    package static var current: TaskFrame? { isInUse ? currentInUse : nil }

    @inline(never)
    private static var currentInUse: TaskFrame? {
        guard let innermost, !innermost.isOver else { return nil }
        return innermost
    }

    /// The frame of a step that makes nothing, which is never refused.
    package convenience init(_ step: consuming Resolution.Step, in parent: TaskFrame?) {
        step.beginWork()
        self.init(begun: step, in: parent)
    }

    /// The frame of a step that makes something; nil where it is refused.
    convenience init?(making step: consuming Resolution.Step, in parent: TaskFrame?) {
        guard step.beginWork() else { return nil }
        self.init(begun: step, in: parent)
    }

    private init(begun step: consuming Resolution.Step, in parent: TaskFrame?) {
        held = (step.slot, step.engine, step.holder, step.owner, step.arguments)
        self.step = .allocate(capacity: 1)
        self.step.initialize(to: step)
        self.parent = parent
        Self.count.add(1, ordering: .relaxed)
        self.step.pointee.frame = .passUnretained(self)
        // Never made by who first needs it, which may be two tasks at once.
        if self.step.pointee.root == nil, self.step.pointee.graph == nil {
            self.step.pointee.graph = ObjectGraph()
        }
    }

    deinit {
        step.deinitialize(count: 1)
        step.deallocate()
    }

    /// Runs a body, and the tasks that it starts, in this step, and ends it.
    package func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        defer { endStep() }
        return try await Self.$innermost.withValue(self) { try await body() }
    }

    /// Runs a body that does not suspend, on the main actor where the step's factory runs there.
    func atOnce<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
        guard step.pointee.traits.contains(.isMainActor) else { return try body() }
        return try await MainActor.run(body: body)
    }

    /// Runs a body that does not suspend in this step, and ends it.
    func runAtOnce<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { endStep() }
        return try Self.$innermost.withValue(self) { try body() }
    }

    /// Runs a synchronous factory, of which the tasks that it starts are no part.
    static func withNone<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $innermost.withValue(nil, operation: body)
    }

    private func endStep() {
        guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.count.subtract(1, ordering: .relaxed)
        step.pointee.graph?.endResolution()
        if step.pointee.isCounted { step.pointee.withEngine { $0.endWork() } }
    }
}

/// Where a validation runs the factories.
package protocol FactoryExecutor: AnyObject, Sendable {
    /// Where it runs those of the main actor.
    var mainActor: MainActorPlace { get }

    /// What the validation itself has begun.
    var outerPath: Path { get }
    /// Runs a body on the thread that validates, as a part of this one's resolution.
    func onCallingThread<Result>(_ resolution: Resolution, _ body: () throws -> Result) throws
        -> Result
    /// Leaves behind what runs here, which has been given up; returns where it cannot be.
    func leaveThread(of resolution: Resolution)
}

/// Where a ``FactoryExecutor`` runs main-actor factories.
package enum MainActorPlace {
    /// On its own thread, to which the one that validates lends the main actor.
    case ownThread
    /// On the thread that validates: it is the process's main thread, which user interfaces insist on.
    case callingThread
    case nowhere
}
