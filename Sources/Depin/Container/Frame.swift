/// One factory under way: a step of the path that a resolution has gone.
///
/// Frames lie on the stack of the thread that resolves, each linked to the one that asked for it, and
/// the thread knows the innermost. That is all the state a resolution has, so nothing of it outlives
/// the call, no other thread can see it, and it costs no allocation.
///
/// PERF: all of it is trivial, so that a frame is made and dropped by plain stores; with references
/// that are counted, a transient service took a fifth longer. What the comments call lent outlives
/// the frame in its caller; what they call held is released by ``Resolution/leave(_:)``.
@usableFromInline
struct Frame {
    /// What is being built; nil where a graph was only entered, by `withObjectGraph` or a `Lazy`.
    ///
    /// Lent.
    @usableFromInline let entry: Unmanaged<AnyServiceEntry>?
    /// The container whose resolver the factory has.
    ///
    /// Lent.
    @usableFromInline let asked: Unmanaged<ContainerCore>
    /// Lent.
    @usableFromInline var arguments: Unmanaged<Arguments>?
    /// Where the arguments lie, and their types, until someone asks for them as an object.
    ///
    /// Lent.
    @usableFromInline var lentArguments: (place: UnsafeRawPointer, type: Arguments.Type)?
    /// The arguments are held.
    @usableFromInline var ownsArguments = false
    /// The place of the `@Injected` property that asked.
    ///
    /// Lent.
    @usableFromInline let injectedAt: UnsafePointer<CodePlace>?
    @usableFromInline let traits: AnyServiceEntry.Traits
    /// True where a graph begins although a resolution is under way.
    @usableFromInline let beginsGraph: Bool
    /// The same registration is built within this frame, so the graph may have its instance by now.
    @usableFromInline var hasTwin = false
    /// The generation of a shared entry that is being built.
    @usableFromInline var generation: UInt32 = 0
    /// The factory has returned; callbacks are running.
    @usableFromInline var isCompleting = false

    /// Where the thread keeps its innermost frame.
    @usableFromInline var top: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    @usableFromInline var parent: UnsafeMutablePointer<Frame>?
    /// The frame in which the graph began, which holds it.
    @usableFromInline var root: UnsafeMutablePointer<Frame>?
    /// Held, in the root.
    @usableFromInline var graph: Unmanaged<ObjectGraph>?
    /// The instance that this frame, or one within it, has built of a shared entry: a `Box`.
    ///
    /// Held.
    @usableFromInline var product: Unmanaged<AnyObject>?

    @inlinable
    @inline(__always)
    init(
        _ entry: AnyServiceEntry?,
        _ traits: AnyServiceEntry.Traits,
        asked: ContainerCore,
        arguments: Arguments? = nil,
        injectedAt: UnsafePointer<CodePlace>? = nil,
        beginsGraph: Bool = false
    ) {
        self.entry = entry.map(Unmanaged.passUnretained)
        self.traits = traits
        self.asked = .passUnretained(asked)
        self.arguments = arguments.map(Unmanaged.passUnretained)
        self.injectedAt = injectedAt
        self.beginsGraph = beginsGraph
    }

    func builds(_ entry: UnsafeMutableRawPointer) -> Bool {
        self.entry?.toOpaque() == entry
    }
}
