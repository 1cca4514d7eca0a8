/// The resolution in progress on this thread: a walk through factories.
///
/// A resolve on a thread with one joins it, whichever way it comes: through the resolver that the
/// factory was handed, the container it captured, or an `@Injected` property.
@usableFromInline
enum Resolution {
    @usableFromInline typealias FramePointer = UnsafeMutablePointer<Frame>

    /// How often one registration may be entered within itself with arguments that differ.
    static let depthLimit = 100
    /// How many steps after its outermost frame a registration may be entered again: rings of many have
    /// used up a stack of 8 MB, at up to 15 kB a step in an unoptimised build, before one of them has
    /// been entered a hundred times.
    static let stepLimit = 200

    /// The innermost frame of this thread.
    static var top: FramePointer? {
        CurrentThread.word.pointee?.assumingMemoryBound(to: Frame.self)
    }

    // MARK: - The walk

    /// Goes a step further, unless the graph has the instance already, which then lies at the result.
    ///
    /// - Throws: `ResolutionError` for a cycle, and for a main-actor factory off the main thread.
    @usableFromInline
    static func enter(_ frame: FramePointer) throws(ResolutionError) -> UnsafeRawPointer? {
        let top = link(frame)
        if top != nil, frame.pointee.traits.kind == .graph,
            let graph = frame.pointee.root?.pointee.graph,
            let known = graph._withUnsafeGuaranteedRef({ $0.find(key(of: frame)) })
        {
            releaseArguments(frame)
            return known
        }
        do throws(ResolutionError) {
            if let top {
                try check(frame, from: top)
            }
            if frame.pointee.traits.contains(.isMainActor), !CurrentThread.isMain {
                throw error(.offMainActor, at: frame)
            }
        } catch {
            releaseArguments(frame)
            throw error
        }
        frame.pointee.top?.pointee = UnsafeMutableRawPointer(frame)
        return nil
    }

    /// Ties a frame to the innermost one, which it gives back.
    @inline(__always)
    private static func link(_ frame: FramePointer) -> FramePointer? {
        let word = CurrentThread.word
        let top = word.pointee?.assumingMemoryBound(to: Frame.self)
        frame.pointee.top = word
        frame.pointee.parent = top
        frame.pointee.root = frame.pointee.beginsGraph ? frame : top?.pointee.root ?? frame
        return top
    }

    /// Goes the step back, and ends the graph where it began here.
    @inlinable
    @inline(__always)
    static func leave(_ frame: FramePointer) {
        frame.pointee.top?.pointee = UnsafeMutableRawPointer(frame.pointee.parent)
        if frame.pointee.graph != nil || frame.pointee.product != nil || frame.pointee.ownsArguments
        {
            release(frame)
        }
    }

    @usableFromInline
    @inline(never)
    static func release(_ frame: FramePointer) {
        frame.pointee.product?.release()
        releaseArguments(frame)
        guard let graph = frame.pointee.graph?.takeRetainedValue() else { return }
        let ended = graph.end()
        for case let gate as StorageGate in ended.company {
            gate.enter { $0.graphResolutionCompleted() }
        }
    }

    /// Runs a body in which what is resolved belongs to a graph.
    static func within<Result>(
        _ graph: ObjectGraph,
        isNew: Bool = false,
        asked: ContainerCore,
        _ body: () throws -> Result
    ) rethrows -> Result {
        var frame = Frame(nil, [], asked: asked, beginsGraph: true)
        if !isNew {
            graph.begin()
        }
        return try withUnsafeMutablePointer(to: &frame) { frame in
            _ = link(frame)
            frame.pointee.graph = .passRetained(graph)
            frame.pointee.top?.pointee = UnsafeMutableRawPointer(frame)
            defer { leave(frame) }
            return try body()
        }
    }

    // MARK: - The graph

    static func key(of frame: FramePointer) -> ObjectGraph.Key {
        guard let entry = frame.pointee.entry else {
            preconditionFailure("a frame that builds nothing keeps nothing")
        }
        return ObjectGraph.Key(
            entry: entry._withUnsafeGuaranteedRef { $0.serial.number },
            asked: frame.pointee.asked._withUnsafeGuaranteedRef { $0.serial.number },
            arguments: arguments(of: frame)
        )
    }

    /// Begins to keep an instance in the graph: room for it, or the one that a cycle has stored.
    ///
    /// Whoever gets room puts the instance there and calls ``endKeeping(_:)`` at once.
    @usableFromInline
    static func beginKeeping(
        _ frame: FramePointer,
        _ type: Any.Type,
        size: Int,
        alignment: Int
    ) -> (place: UnsafeMutableRawPointer, isNew: Bool) {
        let key = key(of: frame)
        return withGraph(of: frame) {
            $0.beginAdding(
                key,
                type,
                size: size,
                alignment: alignment,
                isNew: !frame.pointee.hasTwin
            )
        }
    }

    @usableFromInline
    static func endKeeping(_ frame: FramePointer) {
        withGraph(of: frame) { $0.endAdding() }
    }

    /// Lends the graph that a frame belongs to, made when first needed.
    @inline(__always)
    static func withGraph<Result>(
        of frame: FramePointer,
        _ body: (ObjectGraph) throws -> Result
    ) rethrows -> Result {
        guard let root = frame.pointee.root else { preconditionFailure("a frame without a root") }
        let graph = root.pointee.graph ?? .passRetained(.make())
        root.pointee.graph = graph
        return try graph._withUnsafeGuaranteedRef(body)
    }

    /// Lends the graph under way, or else one that ends with the body.
    static func withGraph<Result>(
        asked: ContainerCore,
        _ body: (ObjectGraph) throws -> Result
    ) rethrows -> Result {
        if let top { return try withGraph(of: top, body) }
        let graph = ObjectGraph.make()
        return try within(graph, isNew: true, asked: asked) { try body(graph) }
    }

    /// True where an instance need not be kept in the graph: nobody is left to ask for it.
    @inlinable
    static func isAlone(_ frame: FramePointer) -> Bool {
        frame.pointee.root == frame && !frame.pointee.traits.hasCallbacks
            && !frame.pointee.hasTwin
            && (frame.pointee.graph == nil || !isNamed(frame))
    }

    /// True where a `GraphIdentifier` or a `Lazy` goes on naming the graph.
    @usableFromInline
    static func isNamed(_ root: FramePointer) -> Bool {
        root.pointee.graph?._withUnsafeGuaranteedRef { $0.isShared } ?? false
    }

    /// The arguments of a frame, made an object when first needed.
    static func arguments(of frame: FramePointer) -> Unmanaged<Arguments>? {
        if frame.pointee.arguments == nil, let lent = frame.pointee.lentArguments {
            frame.pointee.arguments = .passRetained(lent.type.copy(from: lent.place))
            frame.pointee.ownsArguments = true
        }
        return frame.pointee.arguments
    }

    private static func releaseArguments(_ frame: FramePointer) {
        if frame.pointee.ownsArguments {
            frame.pointee.arguments?.release()
        }
    }

    // MARK: - Cycles

    /// A step to a registration that is on the path already is a cycle, unless the path has since
    /// entered the callbacks of an instance that is kept: from there the way back ends.
    private static func check(
        _ frame: FramePointer,
        from top: FramePointer
    ) throws(ResolutionError) {
        guard let entry = frame.pointee.entry?.toOpaque() else { return }
        var entered = 0
        var hasCompleted = false
        var isRepeated = false
        var step: FramePointer? = top
        while let current = step {
            if current.pointee.isCompleting && current.pointee.traits.kind != .transient {
                hasCompleted = true
            }
            if current.pointee.builds(entry) {
                entered += 1
                current.pointee.hasTwin = true
                isRepeated = isRepeated || !hasCompleted && isSame(current, frame)
            }
            step = current.pointee.parent
        }
        if isRepeated {
            throw error(.circularDependency(otherPath: []), at: frame)
        }
        if entered >= depthLimit || entered > 0 && steps(since: entry, from: top) >= stepLimit {
            throw error(.recursionTooDeep(entered), at: frame)
        }
    }

    /// How many steps the path has gone since it first came to an entry.
    private static func steps(
        since entry: UnsafeMutableRawPointer,
        from top: FramePointer
    ) -> Int {
        var (steps, outermost) = (0, 0)
        var step: FramePointer? = top
        while let current = step {
            steps += 1
            if current.pointee.builds(entry) { outermost = steps }
            step = current.pointee.parent
        }
        return outermost
    }

    private static func isSame(_ one: FramePointer, _ other: FramePointer) -> Bool {
        one.pointee.asked.toOpaque() == other.pointee.asked.toOpaque()
            && Arguments.isEqual(
                arguments(of: one)?.takeUnretainedValue(),
                arguments(of: other)?.takeUnretainedValue()
            )
    }

    // MARK: - Shared instances

    /// The instance of a shared entry that this thread has built but not finished.
    static func ownProduct(of entry: AnyServiceEntry) -> AnyObject? {
        let entry = Unmanaged.passUnretained(entry).toOpaque()
        var step = top
        while let current = step {
            if current.pointee.builds(entry), let product = current.pointee.product {
                return product.takeUnretainedValue()
            }
            step = current.pointee.parent
        }
        return nil
    }

    /// The generation of a shared entry that this thread is building.
    static func begunGeneration(of entry: AnyServiceEntry) -> UInt32? {
        let entry = Unmanaged.passUnretained(entry).toOpaque()
        var step = top
        while let current = step {
            if current.pointee.builds(entry) { return current.pointee.generation }
            step = current.pointee.parent
        }
        return nil
    }

    /// Lets every frame that builds the same entry know the instance that is kept.
    static func setProduct(_ product: AnyObject, of entry: AnyServiceEntry) {
        let entry = Unmanaged.passUnretained(entry).toOpaque()
        var step = top
        while let current = step {
            if current.pointee.builds(entry), current.pointee.product == nil {
                current.pointee.product = .passRetained(product)
            }
            step = current.pointee.parent
        }
    }
}
