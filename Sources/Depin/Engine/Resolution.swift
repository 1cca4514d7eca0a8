import Synchronization

/// The resolution in progress on a thread, as a path of steps: what its factories and callbacks make.
///
/// Every request on the thread joins it, whether it comes through the resolver that a factory was given, through a
/// captured container, or from an `@Injected` property. It belongs to one thread.
package final class Resolution {
    /// Names the thread for good, unlike its address.
    let number = Serial.next()
    /// Runs the factories on this thread for a validation.
    package var executor: (any FactoryExecutor)? {
        didSet { outerPath = path }
    }
    /// The path of the validation itself, which goes on if the thread gives up.
    private var outerPath: Path = nil
    // Not shared: no other thread can use a thread's own object. Not seen by other modules, for which each access would
    // be checked for exclusivity (row 3: a fifth).
    private(set) var innermost: Path = nil
    /// The frame whose path this is, held because a task that a factory left running may outlive it.
    private var frame: TaskFrame?
    /// The engines that assemblies and other registering code on this thread are registering to.
    private(set) var registering: [Engine] = []

    package init() {}

    /// Lends the thread's own resolution, on the path of the current task unless the thread has one of its own.
    @inline(__always)
    package static func withCurrent<Result>(_ body: (Resolution) throws -> Result) rethrows
        -> Result
    {
        let joined = TaskFrame.isInUse ? joiningTask() : nil
        defer { joined?.leaveTask() }
        return try CurrentThread.withObject(Resolution.init, body)
    }

    /// The thread's resolution, on the path of the current task from now on; nil if that does not change anything.
    @inline(never)
    private static func joiningTask() -> Resolution? {
        CurrentThread.withObject(Resolution.init) { (resolution: Resolution) in
            guard resolution.innermost == nil, let current = TaskFrame.current else { return nil }
            (resolution.frame, resolution.innermost) = (current, current.step)
            return resolution
        }
    }

    @inline(never)
    private func leaveTask() {
        let left = frame
        (frame, innermost) = (nil, nil)
        withExtendedLifetime(left) {}
    }

    /// The innermost step: the thread's own, or else that of the current task.
    package var path: Path { innermost }

    // MARK: - Steps

    /// Runs a body in a further step whose work has begun.
    ///
    /// This is the only way into and out of a thread's step that makes something.
    @inline(__always)
    func run<Result>(
        _ step: inout Step,
        _ body: (UnsafeMutablePointer<Step>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutablePointer(to: &step) { step in
            let outer = innermost
            innermost = step
            defer {
                // First, because code that runs at the graph's end may make requests, which must find no ended
                // instance.
                innermost = outer
                step.pointee.graph?.endResolution()
                step.pointee.endWork()
            }
            return try body(step)
        }
    }

    /// Runs a body in a step that makes nothing, and ends the graph that the step may begin.
    func inside<Result>(_ step: consuming Step, _ body: () throws -> Result) rethrows -> Result {
        try run(&step) { _ in try body() }
    }

    /// Runs a body on an existing path.
    @inline(__always)
    func within<Result>(_ path: Path, _ body: () throws -> Result) rethrows -> Result {
        let outer = innermost
        innermost = path
        defer { innermost = outer }
        return try body()
    }

    /// Runs a body as part of a task, whatever else the thread is in the middle of.
    static func joining<Result>(
        _ frame: TaskFrame,
        _ body: (Resolution) throws -> Result
    ) rethrows -> Result {
        try CurrentThread.withObject(Resolution.init) { (resolution: Resolution) in
            let registering = resolution.registering
            resolution.registering = []
            defer { resolution.registering = registering }
            return try resolution.within(frame.step) { try body(resolution) }
        }
    }

    /// True where main-actor factories can run.
    package var hasMainActor: Bool {
        executor?.hasMainActor == true || CurrentThread.isMain
    }

    // MARK: - Graphs

    /// Runs a body whose requests belong to a given graph, or to one that ends with the body.
    // Compiled once, and not for each result, which is also quicker (row 15-closer: a twentieth).
    @_semantics("optimize.sil.specialize.generic.never")
    package func within<Result>(
        _ graph: ObjectGraph?,
        of engine: Engine,
        _ owner: Owner?,
        _ body: () throws -> Result
    ) rethrows -> Result {
        graph?.begin()
        var step = Step(in: engine, graph: graph, after: path)
        step.owner = owner
        step.beginWork()
        return try run(&step) { _ in try body() }
    }

    /// Gives up everything under way on a thread that will never return through its steps.
    @_optimize(size)
    package func giveUp() {
        for step in path.steps {
            // The steps further out are the validation's own, and go on; so do the tasks around one that a factory left
            // running.
            if step == outerPath { break }
            let frame = step.pointee.frame?.takeUnretainedValue()
            if executor == nil, let frame, frame.task != CurrentThread.taskAddress { break }
            if let building = step.pointee.building, let slot = step.pointee.slot {
                // Its waiters make their requests again.
                slot.abandonWholly(building)?.tell()
            }
            step.pointee.graph?.endResolution()
            step.pointee.endWork()
        }
    }

    // MARK: - Registering

    /// Runs a body that registers: what it makes will be kept, as an instance or by a factory.
    func registering(on engine: Engine, _ body: () throws -> Void) rethrows {
        registering.append(engine)
        defer { registering.removeLast() }
        try body()
    }
}

/// A step of a task: a running asynchronous factory, or a graph that was entered.
///
/// A task-local value carries it through its task and that task's child tasks. It holds everything that its step names.
package final class TaskFrame: Sendable {
    // Weak, because a task that a factory left running keeps its task-local values.
    @TaskLocal private static var innermost: WeakObject?
    /// How many frames have not ended: while there is none, looking for one costs nothing.
    private static let count = Atomic<Int>(0)

    // Relaxed is enough: a task looks for its own frame or an outer task's, and either was counted before the task
    // could look.
    fileprivate static var isInUse: Bool { count.load(ordering: .relaxed) > 0 }

    // It never changes once the task has begun, so any thread may read it.
    nonisolated(unsafe) let step: UnsafeMutablePointer<Resolution.Step>
    private let parent: TaskFrame?
    private let held: (Slot?, Engine, Engine, Owner?, Arguments?)
    /// The address of the task that runs the frame.
    fileprivate let task = CurrentThread.taskAddress
    /// Set when the step has ended: a task that outlives it begins a path of its own.
    private let hasEnded = Atomic(false)
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// The innermost frame of this task that has not ended.
    static var current: TaskFrame? { isInUse ? currentInUse : nil }

    @inline(never)
    private static var currentInUse: TaskFrame? {
        guard let object = innermost?.object else { return nil }
        let frame = unsafeDowncast(object, to: TaskFrame.self)
        return frame.isOver ? nil : frame
    }

    /// The frame of requests that belong to a graph, or to one that ends with the frame.
    package convenience init(of graph: ObjectGraph?, in engine: Engine, _ owner: Owner?) {
        graph?.begin()
        let outer = Self.current
        var step = Resolution.Step(in: engine, graph: graph, after: outer?.step)
        step.owner = owner
        self.init(step, in: outer)
    }

    /// The frame of a step that makes nothing, which is never refused.
    convenience init(_ step: consuming Resolution.Step, in parent: TaskFrame?) {
        step.beginWork()
        self.init(begun: step, in: parent)
    }

    /// The frame of a step whose work has begun.
    init(begun step: consuming Resolution.Step, in parent: TaskFrame?) {
        held = (step.slot, step.engine, step.holder, step.owner, step.arguments)
        self.step = .allocate(capacity: 1)
        self.step.initialize(to: step)
        self.parent = parent
        Self.count.add(1, ordering: .relaxed)
        self.step.pointee.frame = .passUnretained(self)
        // Made here, because two tasks might need it first at the same time.
        if self.step.pointee.root == nil, self.step.pointee.graph == nil {
            self.step.pointee.graph = ObjectGraph()
        }
    }

    deinit {
        step.deinitialize(count: 1)
        step.deallocate()
    }

    /// Runs a body, and the tasks that it starts, in this step; then ends the step.
    package func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        defer { endStep() }
        return try await Self.$innermost.withValue(WeakObject(self)) { try await body() }
    }

    /// Runs a body that does not suspend as part of the task, on the main actor if the step's factory belongs there.
    ///
    /// The tasks that it starts are not part of the step.
    func atOnce<Result: Sendable>(
        _ body: @Sendable (Resolution) throws -> Result
    ) async throws -> Result {
        guard step.pointee.traits.contains(.isMainActor) else { return try apart(body) }
        return try await MainActor.run { try apart(body) }
    }

    private func apart<Result>(_ body: (Resolution) throws -> Result) rethrows -> Result {
        try Resolution.joining(self) { resolution in
            try Self.withNone { try body(resolution) }
        }
    }

    /// Runs a body that does not suspend in this step; then ends the step.
    func runAtOnce<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { endStep() }
        return try Self.$innermost.withValue(WeakObject(self)) { try body() }
    }

    /// Runs a synchronous factory, so that the tasks that it starts are not part of the step.
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

/// Runs factories for a validation.
package protocol FactoryExecutor: AnyObject, Sendable {
    /// True if it runs main-actor factories.
    var hasMainActor: Bool { get }

    /// Makes an instance with the main actor, as part of this thread's resolution.
    func onMainActor(_ resolution: Resolution, _ make: @escaping () throws -> AnyBox) throws
        -> AnyBox
}
