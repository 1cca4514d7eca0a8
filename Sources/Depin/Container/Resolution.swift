/// One factory under way: a step of the path that a resolution has gone.
///
/// Frames lie on the stack of the thread that resolves, each linked to the one that asked for it, and
/// the thread knows the innermost. That is all the state a resolution has, so nothing of it outlives
/// the call, no other thread can see it, and it costs no allocation.
@usableFromInline
struct Frame {
    /// What is being built; nil where a graph was only entered, by `withObjectGraph` or a `Lazy`.
    let entry: Unmanaged<AnyServiceEntry>?
    /// The container whose resolver the factory has.
    let asked: Unmanaged<ContainerCore>
    @usableFromInline let traits: AnyServiceEntry.Traits
    /// Lent by the caller, who outlives the frame.
    let arguments: Unmanaged<Arguments>?
    let injectedAt: CodePlace?
    /// True where a graph begins although a resolution is under way.
    let beginsGraph: Bool

    fileprivate(set) var parent: UnsafeMutablePointer<Frame>?
    /// The frame in which the graph began, which owns it.
    fileprivate(set) var root: UnsafeMutablePointer<Frame>?
    fileprivate(set) var graph: ObjectGraph?
    /// The factory has returned; callbacks are running.
    var isCompleting = false
    /// The instance that this frame, or one within it, has built of a shared entry: a `Box`.
    var product: AnyObject?

    @usableFromInline
    init(
        _ entry: AnyServiceEntry?,
        _ traits: AnyServiceEntry.Traits,
        asked: ContainerCore,
        arguments: Arguments? = nil,
        injectedAt: CodePlace? = nil,
        beginsGraph: Bool = false,
        graph: ObjectGraph? = nil
    ) {
        self.entry = entry.map(Unmanaged.passUnretained)
        self.traits = traits
        self.asked = .passUnretained(asked)
        self.arguments = arguments.map(Unmanaged.passUnretained)
        self.injectedAt = injectedAt
        self.beginsGraph = beginsGraph
        self.graph = graph
    }

    fileprivate func builds(_ entry: UnsafeMutableRawPointer) -> Bool {
        self.entry?.toOpaque() == entry
    }
}

/// The resolution in progress on this thread: a walk through factories.
///
/// A resolve on a thread with one joins it, whichever way it comes: through the resolver that the
/// factory was handed, the container it captured, or an `@Injected` property.
@usableFromInline
enum Resolution {
    @usableFromInline typealias FramePointer = UnsafeMutablePointer<Frame>

    /// How often one registration may be entered within itself with arguments that differ.
    static let depthLimit = 100

    /// The innermost frame of this thread.
    static var top: FramePointer? {
        get { CurrentThread.pointer?.assumingMemoryBound(to: Frame.self) }
        set { CurrentThread.pointer = newValue.map(UnsafeMutableRawPointer.init) }
    }

    // MARK: - The walk

    /// Goes a step further, unless the graph has the instance already, which then lies at the result.
    ///
    /// - Throws: `ResolutionError` for a cycle, and for a main-actor factory off the main thread.
    @usableFromInline
    static func enter(_ frame: FramePointer) throws(ResolutionError) -> UnsafeRawPointer? {
        let top = self.top
        frame.pointee.parent = top
        let root = frame.pointee.beginsGraph ? frame : top?.pointee.root ?? frame
        frame.pointee.root = root
        if frame.pointee.traits.kind == .graph, let graph = root.pointee.graph,
            let known = graph.find(key(of: frame))
        {
            return known
        }
        try check(frame)
        self.top = frame
        return nil
    }

    /// Goes the step back, and ends the graph where it began here.
    @usableFromInline
    static func leave(_ frame: FramePointer) {
        top = frame.pointee.parent
        if let graph = frame.pointee.graph {
            frame.pointee.graph = nil
            let ended = graph.end()
            for case let gate as StorageGate in ended.company {
                gate.enter { $0.graphResolutionCompleted() }
            }
        }
    }

    /// Runs a body in which what is resolved belongs to a graph.
    static func within<Result>(
        _ graph: ObjectGraph,
        asked: ContainerCore,
        _ body: () throws -> Result
    ) rethrows -> Result {
        var frame = Frame(nil, [], asked: asked, beginsGraph: true, graph: graph)
        graph.begin()
        return try withUnsafeMutablePointer(to: &frame) { frame in
            frame.pointee.parent = top
            frame.pointee.root = frame
            top = frame
            defer { leave(frame) }
            return try body()
        }
    }

    // MARK: - The graph

    static func key(of frame: FramePointer) -> ObjectGraph.Key {
        guard let entry = frame.pointee.entry?.toOpaque() else {
            preconditionFailure("a frame that builds nothing keeps nothing")
        }
        return ObjectGraph.Key(
            entry: UnsafeRawPointer(entry),
            asked: UnsafeRawPointer(frame.pointee.asked.toOpaque()),
            arguments: frame.pointee.arguments?.takeUnretainedValue()
        )
    }

    /// The graph that a frame belongs to, made when first needed.
    static func graph(of frame: FramePointer) -> ObjectGraph {
        guard let root = frame.pointee.root else { preconditionFailure("a frame without a root") }
        if let graph = root.pointee.graph { return graph }
        let graph = ObjectGraph.make()
        graph.begin()
        root.pointee.graph = graph
        return graph
    }

    /// Lends the graph under way, or else one that ends with the body.
    static func withGraph<Result>(
        asked: ContainerCore,
        _ body: (ObjectGraph) throws -> Result
    ) rethrows -> Result {
        if let top { return try body(graph(of: top)) }
        let graph = ObjectGraph.make()
        return try within(graph, asked: asked) { try body(graph) }
    }

    /// True where an instance need not be kept in the graph: nobody is left to ask for it.
    @usableFromInline
    static func isAlone(_ frame: FramePointer) -> Bool {
        frame.pointee.root == frame && frame.pointee.graph == nil
            && !frame.pointee.traits.contains(.hasCallbacks)
    }

    // MARK: - Cycles

    /// A step to a registration that is on the path already is a cycle, unless the path has since
    /// entered the callbacks of an instance that is kept: from there the way back ends.
    private static func check(_ frame: FramePointer) throws(ResolutionError) {
        guard let entry = frame.pointee.entry?.toOpaque() else { return }
        var entered = 0
        var hasCompleted = false
        var isRepeated = false
        var step = frame.pointee.parent
        while let current = step {
            if current.pointee.isCompleting && current.pointee.traits.kind != .transient {
                hasCompleted = true
            }
            if current.pointee.builds(entry) {
                entered += 1
                isRepeated = isRepeated || !hasCompleted && isSame(current, frame)
            }
            step = current.pointee.parent
        }
        if isRepeated {
            throw error(.circularDependency(otherPath: []), at: frame)
        }
        if entered >= depthLimit {
            throw error(.recursionTooDeep(entered), at: frame)
        }
        if frame.pointee.traits.contains(.isMainActor), !CurrentThread.isMain {
            throw error(.offMainActor, at: frame)
        }
    }

    private static func isSame(_ one: FramePointer, _ other: FramePointer) -> Bool {
        one.pointee.asked.toOpaque() == other.pointee.asked.toOpaque()
            && Arguments.isEqual(
                one.pointee.arguments?.takeUnretainedValue(),
                other.pointee.arguments?.takeUnretainedValue()
            )
    }

    // MARK: - Shared instances

    /// The instance of a shared entry that this thread has built but not finished.
    static func ownProduct(of entry: AnyServiceEntry) -> AnyObject? {
        let entry = Unmanaged.passUnretained(entry).toOpaque()
        var step = top
        while let current = step {
            if current.pointee.builds(entry), let product = current.pointee.product {
                return product
            }
            step = current.pointee.parent
        }
        return nil
    }

    /// Lets every frame that builds the same entry know the instance that is kept.
    static func setProduct(_ product: AnyObject, of entry: AnyServiceEntry) {
        let entry = Unmanaged.passUnretained(entry).toOpaque()
        var step = top
        while let current = step {
            if current.pointee.builds(entry) {
                current.pointee.product = product
            }
            step = current.pointee.parent
        }
    }

    // MARK: - Errors

    /// The error that a factory's error becomes; the step is gone back.
    @usableFromInline
    static func failure(_ frame: FramePointer, _ underlying: any Error) -> any Error {
        defer { leave(frame) }
        if underlying is ResolutionError { return underlying }
        return ResolutionError(
            reason: .factoryFailed(underlying),
            request: request(of: frame),
            path: path
        )
    }

    static func error(
        _ reason: ResolutionError.Reason,
        at frame: FramePointer
    ) -> ResolutionError {
        ResolutionError(reason: reason, request: request(of: frame), path: path)
    }

    /// The steps under way on this thread, outermost first.
    static var path: [ResolutionError.Step] {
        var steps: [ResolutionError.Step] = []
        var step = top
        while let current = step {
            if let entry = current.pointee.entry?.takeUnretainedValue() {
                steps.append(
                    ResolutionError.Step(
                        request: request(of: current),
                        registeredAt: entry.place,
                        isCompleting: current.pointee.isCompleting
                    )
                )
            }
            step = current.pointee.parent
        }
        return steps.reversed()
    }

    private static func request(of frame: FramePointer) -> ResolutionError.Request {
        guard let entry = frame.pointee.entry?.takeUnretainedValue() else {
            preconditionFailure("a frame that builds nothing has no request")
        }
        return ResolutionError.Request(
            serviceType: entry.serviceType,
            name: entry.key.name,
            argumentTypes: frame.pointee.arguments?.takeUnretainedValue().types
                ?? entry.argumentTypes,
            injectedAt: frame.pointee.injectedAt
        )
    }
}
