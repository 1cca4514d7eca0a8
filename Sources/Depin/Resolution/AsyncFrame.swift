import Synchronization

/// A step of a task's resolution: an asynchronous factory that is running, or a graph that was entered.
///
/// It goes with its task, and the tasks that this one starts, by a task-local value. A synchronous request
/// on a thread that resolves nothing else joins it: see ``Path/withCurrent(_:)``.
final class AsyncFrame: Sendable {
    /// What the step names, held.
    struct Contents: Sendable {
        let parent: AsyncFrame?
        let step: Path.Step
        /// The graph that begins with the step.
        let graph: ObjectGraph?
        /// The instance that asks, where needs are noted.
        fileprivate(set) var needer: Needer?
        private let held: [(any AnyObject & Sendable)?]

        init(_ step: Path.Step, graph: ObjectGraph? = nil, in parent: AsyncFrame?) {
            self.parent = parent
            self.step = step
            self.graph = graph
            held = [step.entry, step.asked, step.owner, step.arguments]
        }
    }

    @TaskLocal private static var innermost: AsyncFrame?
    /// How many there are that have not ended: while there is none, nobody pays for looking.
    private static let count = Atomic<Int>(0)
    // Relaxed, because a task looks for its own, or for that of a task around it, and sees that it was counted.
    static var isInUse: Bool { count.load(ordering: .relaxed) > 0 }

    /// Names who builds here, and who waits.
    let number = Serial.next()
    /// Nil when the step has ended: a task that goes on by itself begins anew then.
    private let contents: Guarded<Contents?>

    init(_ contents: Contents) {
        self.contents = Guarded(contents)
        Self.count.add(1, ordering: .relaxed)
    }

    /// Has an instance ask for what is requested from now on.
    func setNeeder(_ needer: Needer?) {
        contents.withLock { $0?.needer = needer }
    }

    /// Enters a graph, in which a resolution begins.
    convenience init(
        _ graph: ObjectGraph,
        asked: Core,
        owner: CoreOwner?,
        for needer: Needer? = nil,
        in parent: AsyncFrame?
    ) {
        let step = Path.Step(graphOf: asked, owner: owner)
        var contents = Contents(step, graph: graph, in: parent)
        contents.needer = needer
        self.init(contents)
    }

    /// The innermost frame of this task that has not ended.
    static var current: AsyncFrame? {
        innermost.flatMap { $0.steps.isEmpty ? nil : $0 }
    }

    /// Runs a body, and the tasks that it starts, in this step, and ends it.
    ///
    /// - Throws: `ResolutionError` in place of what the body throws, or `CancellationError` where the task was
    ///   canceled.
    func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        defer { end() }
        do {
            return try await Self.$innermost.withValue(self) { try await body() }
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw Path.joining(self) { $0.failure(error) }
        }
    }

    private func end() {
        let ended = contents.withLock { contents in
            defer { contents = nil }
            return contents
        }
        guard let ended else { return }
        Self.count.subtract(1, ordering: .relaxed)
        if let graph = ended.graph { Path.end(graph) }
        withExtendedLifetime(ended) {}
    }

    /// The steps under way from the outermost to this one; none when this one has ended.
    var steps: [Contents] {
        var steps: [Contents] = []
        var next: AsyncFrame? = self
        while let contents = next?.contents.withLock({ $0 }) {
            steps.append(contents)
            next = contents.parent
        }
        return steps.reversed()
    }

    /// The frames that go on when this one has ended, and so on.
    var principals: [UInt] {
        var principals: [UInt] = []
        var next = contents.withLock { $0?.parent }
        while let frame = next, let contents = frame.contents.withLock({ $0 }) {
            principals.append(frame.number)
            next = contents.parent
        }
        return principals
    }

    /// The steps as messages show them.
    var path: [ResolutionError.Step] { Path.joining(self) { $0.forError } }
}
