/// The resolution in progress on a thread: the factories that are running, outermost first.
///
/// A request on a thread with one joins it, whichever way it comes: through the resolver that the
/// factory was handed, the container it captured, or an `@Injected` property. It belongs to one thread.
final class Path {
    /// How often one registration may be entered within itself with arguments that differ.
    static let depthLimit = 100
    /// How many steps after its outermost one a registration may be entered again: rings of many have
    /// used up a stack of 8 MB, at up to 15 kB a step in an unoptimized build, before one of them has
    /// been entered a hundred times.
    static let stepLimit = 200

    /// Names the path, and so its thread, forever.
    let number = Serial.next()
    var stage: (any Stage)?
    // PERF: unchecked, because nobody else can use a thread's own object: the checks took a tenth of row 4.
    @exclusivity(unchecked) private(set) var steps: ContiguousArray<Step> = []
    /// How many of the steps build what is shared.
    @exclusivity(unchecked) private(set) var keptSteps = 0
    /// The containers to which assemblies and the like are registering.
    private(set) var registering: [Core] = []
    /// The graphs under way, each with the step in which it began.
    @exclusivity(unchecked) var graphs: [(root: Int, graph: ObjectGraph)] = []
    /// The instances whose needs are noted that are being built, or ask for more.
    // PERF: lent, by who holds them longer, like all that a step names.
    @exclusivity(unchecked) private var needers: [LentNeeder] = []
    /// The shared instances that have been built but not finished, each with the outermost step that builds it.
    @exclusivity(unchecked) private var products: [(step: Int, box: AnyBox)] = []
    /// The task's steps with which this path begins, and their innermost frame.
    private var joined: (frame: AsyncFrame, steps: [AsyncFrame.Contents])?

    /// Lends the thread's path, with the steps of the task in force where the thread itself has none.
    @inline(__always)
    static func withCurrent<Result>(_ body: (Path) throws -> Result) rethrows -> Result {
        try CurrentThread.withObject(Path.init) { path in
            let hasJoined = AsyncFrame.isInUse && path.joinCurrent()
            defer { if hasJoined { path.part() } }
            return try body(path)
        }
    }

    // MARK: - Tasks

    /// Lends a path with the steps of a task, for a part of an asynchronous request that is not suspended.
    static func joining<Result>(
        _ frame: AsyncFrame,
        _ body: (Path) throws -> Result
    ) rethrows -> Result {
        // Whatever this thread is in the middle of is no part of the task.
        let path = Path()
        path.stage = CurrentThread.withObject(Path.init) { $0.stage }
        return try CurrentThread.lending(path) {
            path.join(frame)
            defer { path.part() }
            return try body(path)
        }
    }

    @inline(never)
    private func joinCurrent() -> Bool {
        guard steps.isEmpty, let frame = AsyncFrame.current else { return false }
        join(frame)
        return true
    }

    private func join(_ frame: AsyncFrame) {
        let contents = frame.steps
        joined = (frame, contents)
        for contents in contents {
            let index = enter(contents.step)
            if let needer = contents.needer { needers.append(LentNeeder(needer: needer)) }
            guard let graph = contents.graph else { continue }
            graph.begin()
            graphs.append((index, graph))
        }
    }

    private func part() {
        let parted = joined
        for _ in parted?.steps ?? [] { leave() }
        (joined, needers) = (nil, [])
        withExtendedLifetime(parted) {}
    }

    /// The frames of the task on whose behalf this thread works.
    var principals: [UInt] {
        joined.map { [$0.frame.number] + $0.frame.principals } ?? []
    }

    /// A step of a task, one further than this path.
    ///
    /// - Throws: `ResolutionError`, for a cycle.
    func frame(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        asked: Core,
        owner: CoreOwner?,
        arguments: Arguments?,
        generation: UInt32 = 0,
        in parent: AsyncFrame
    ) throws -> AsyncFrame {
        try check(entry, asked: asked, arguments, injectedAt: nil)
        let step = Step(
            entry,
            traits,
            asked: asked,
            owner: owner,
            arguments: arguments,
            injectedAt: nil,
            beginsGraph: false,
            generation: generation
        )
        return AsyncFrame(AsyncFrame.Contents(step, in: parent))
    }

    // MARK: - Steps

    /// Runs a body one step further: the only way to enter a step, and to leave it.
    ///
    /// - Throws: `ResolutionError`, for a cycle, for a main-actor factory off the main thread, for an
    ///   asynchronous one, and in place of what the body throws.
    @inline(__always)
    func step<Result>(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        asked: Core,
        owner: CoreOwner?,
        arguments: Arguments?,
        injectedAt: CodePlace?,
        beginsGraph: Bool,
        generation: UInt32 = 0,
        _ body: (_ index: Int) throws -> Result
    ) throws -> Result {
        if !steps.isEmpty { try check(entry, asked: asked, arguments, injectedAt: injectedAt) }
        if !traits.isDisjoint(with: [.isMainActor, .isAsync]) {
            try checkThread(entry, traits, injectedAt: injectedAt)
        }
        defer {
            withExtendedLifetime(entry) {}
            withExtendedLifetime(asked) {}
            withExtendedLifetime(owner) {}
            withExtendedLifetime(arguments) {}
        }
        let index = enter(
            Step(
                entry,
                traits,
                asked: asked,
                owner: owner,
                arguments: arguments,
                injectedAt: injectedAt,
                beginsGraph: beginsGraph,
                generation: generation
            )
        )
        defer { leave() }
        do {
            return try body(index)
        } catch {
            throw failure(error, at: index)
        }
    }

    /// True where main-actor factories can run.
    var hasMainActor: Bool { stage?.mainActor == .ownThread || CurrentThread.isMain }

    @inline(__always)
    func enter(_ step: Step) -> Int {
        var step = step
        let index = steps.count
        step.root = step.beginsGraph || index == 0 ? index : steps[index - 1].root
        if step.isKept { keptSteps += 1 }
        steps.append(step)
        return index
    }

    @inline(__always)
    func leave() {
        let index = steps.count - 1
        if steps[index].isKept { keptSteps -= 1 }
        steps.removeLast()
        if !products.isEmpty { dropProducts(of: index) }
        if !graphs.isEmpty, graphs[graphs.count - 1].root == index { endGraph() }
    }

    private func dropProducts(of index: Int) {
        while let place = products.lastIndex(where: { $0.step == index }) {
            let dropped = products.remove(at: place)
            withExtendedLifetime(dropped) {}
        }
    }

    private func endGraph() {
        Self.end(graphs.removeLast().graph)
    }

    /// Gives up what is under way, for a thread that never goes back through its steps.
    func giveUp() {
        Site.shared.abandonAll(of: number)
        let dropped = (products, graphs.map { $0.graph.end() })
        (products, graphs) = ([], [])
        withExtendedLifetime(dropped) {}
    }

    /// The number of the innermost step.
    var innermost: Int { steps.count - 1 }

    // MARK: - Needs

    /// True where an instance asks on this thread whose needs are noted.
    @inline(never)
    static var hasNeeder: Bool { withCurrent { $0.needer != nil } }

    /// The innermost instance whose needs are noted.
    var needer: Needer? { needers.last?.needer }

    private struct LentNeeder {
        unowned(unsafe) let needer: Needer
    }

    /// Runs a body whose requests are an instance's, if there is one.
    @inline(__always)
    func needing<Result>(_ needer: Needer?, _ body: () throws -> Result) rethrows -> Result {
        guard let needer else { return try body() }
        needers.append(LentNeeder(needer: needer))
        defer {
            needers.removeLast()
            withExtendedLifetime(needer) {}
        }
        return try body()
    }

    // MARK: - Shared instances

    /// The instance of a shared entry that this thread has built but not finished.
    func ownProduct(of entry: AnyServiceEntry) -> AnyBox? {
        products.last { steps[$0.step].number == entry.number }?.box
    }

    /// The generation of a shared entry that this thread is building.
    func begunGeneration(of entry: AnyServiceEntry) -> UInt32? {
        steps.last { $0.number == entry.number }?.generation
    }

    /// Lets every step that builds the same entry know the instance that is kept.
    func setProduct(_ product: AnyBox, of entry: AnyServiceEntry) {
        guard ownProduct(of: entry) == nil,
            let outermost = steps.firstIndex(where: { $0.number == entry.number })
        else { return }
        products.append((outermost, product))
    }

    /// Runs a decorator of a step's instance.
    @inline(__always)
    func decorating<Result>(
        _ index: Int,
        by decorator: AnyDecorator,
        _ body: () throws -> Result
    ) throws -> Result {
        steps[index].decorator = decorator
        defer {
            steps[index].decorator = nil
            withExtendedLifetime(decorator) {}
        }
        do {
            return try body()
        } catch {
            throw failure(error, at: index)
        }
    }

    /// Notes that a step's factory has returned.
    func complete(_ index: Int) {
        steps[index].isCompleting = true
    }

    /// True where a callback makes the requests.
    var isInCallback: Bool { steps.contains(where: \.isCompleting) }

    // MARK: - Registering

    /// Runs a body that registers: what it makes is kept, as an instance or by a factory.
    func registering<Result>(on core: Core, _ body: () throws -> Result) rethrows -> Result {
        registering.append(core)
        defer { registering.removeLast() }
        return try body()
    }

    /// True where nothing is built or registered.
    var isIdle: Bool { steps.isEmpty && registering.isEmpty }
}
