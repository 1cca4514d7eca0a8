import Synchronization

extension Engine {
    /// A request for a service: everything but the engine that is asked.
    package struct Request {
        package internal(set) var key: ServiceKey
        package internal(set) var arguments: Arguments?
        /// Keeps the asked container open; nil if the request must not: see ``Owner``.
        var owner: Owner?
        /// The place of the `@Injected` property that makes the request.
        var injectedAt: CodePlace?
        /// True if the request begins a graph even inside of a resolution, as those of `@Injected` and `Provider` do.
        var beginsGraph = false
        /// True if the requester needs a service, and cannot do with nil: a collection without contributions is then
        /// empty.
        package var isNeeded = false
        /// True if the request takes the hierarchy's turn to run factories: see
        /// ``Container/synchronize(serializingFactories:)``.
        var takesTurn = false
        /// True if a task makes the request, which can await asynchronous factories.
        package var mayAwait = false
        /// True if the maker of the instance may suspend, so that synchronous code must not wait for it.
        var takesTime = false
        /// The awaited instance that decorators are about to wrap.
        var awaited: AwaitedInner?
        /// The observation that follows the request, once observers have heard of it.
        var observation: (any Observation)?

        /// The same request for another type.
        func with(_ serviceType: Any.Type) -> Engine.Request { with(key.with(serviceType)) }

        /// The same request for another key, which observers have not heard of.
        func with(_ key: ServiceKey) -> Engine.Request {
            var request = self
            request.key = key
            request.observation = nil
            return request
        }

        /// The graph under way that the request joins, made if need be; nil if it begins one.
        func joinedGraph(of path: Path) -> ObjectGraph? { beginsGraph ? nil : path.madeGraph }

        package var forError: ResolutionError.Request {
            ResolutionError.Request(key, injectedAt: injectedAt)
        }
    }
}

// In an extension, because the compiler's own initializer builds a request without a copy (row 4g).
extension Engine.Request {
    package init(_ key: ServiceKey, _ arguments: Arguments? = nil, _ owner: Owner? = nil) {
        self.init(key: key, arguments: arguments, owner: owner)
    }
}

/// An instance that a task has awaited, for decorators to wrap.
///
/// It is awaited before the slot of the decorated instance is claimed. A reset in between acts as on a build: only
/// those who have already asked get the decorated instance.
final class AwaitedInner: Sendable {
    let box: AnyBox
    /// The slot of the instance inside the decorators.
    let slot: Slot
    private let outer: Slot
    private let lastReset: UInt

    init(_ box: AnyBox, of slot: Slot, for outer: Slot, after lastReset: UInt) {
        (self.box, self.slot, self.outer, self.lastReset) = (box, slot, outer, lastReset)
    }

    /// True if only those who have already asked may get the decorated instance.
    var isStale: Bool { outer.lastReset != lastReset }

    /// True if the slot was removed as an idle one meanwhile, so that no reset reaches it.
    var isForgotten: Bool { !isStale && outer.withParts { _ in outer.hasLeft } }
}

extension Engine {
    /// The awaited instance, noted as a need of the one that wraps it.
    func take(_ awaited: AwaitedInner, _ step: UnsafeMutablePointer<Resolution.Step>) -> AnyBox {
        if hasFlag(.notesNeeds), !awaited.isStale {
            note(step.pointee.dependent, needs: awaited.slot.node(of: awaited.box))
        }
        return awaited.box
    }
}

/// Hears of one request, and tells observers.
protocol Observation: AnyObject, Sendable {
    func tellBegin(_ request: Engine.Request, _ path: Path) throws
    func tellMaking(_ registration: Registration, _ request: Engine.Request, _ path: Path) throws
    func tellMade(_ box: AnyBox, by registration: Registration, _ path: Path)
    func tellEnd(_ request: Engine.Request, _ result: Result<AnyBox?, any Error>, _ path: Path)
}

/// An instance that asks for others: while it is built, and later through the `Lazy`s, `Provider`s, properties and
/// resolver that it got, which all hold this.
final class Dependent: Sendable {
    let engine: Engine
    /// Names the instance in the graph of needs.
    let number = Serial.next()

    /// Adds an instance that is about to be built to the graph of needs.
    init(in engine: Engine) {
        self.engine = engine
        if !Self.isInUse.load(ordering: .relaxed) { Self.isInUse.store(true, ordering: .relaxed) }
        engine.setFlag(.notesBuilds)
        engine.state.withLock { [number] in $0.needs.addNode(number) }
    }

    deinit {
        engine.state.withLock { [number] in $0.needs.endAsking(number) }
    }

    /// Whether there ever was a dependent; while there was none, looking for one costs nothing.
    static let isInUse = Atomic(false)

    /// The instance under construction on this thread, or in this task.
    @inline(never)
    static var current: Dependent? {
        guard isInUse.load(ordering: .relaxed) else { return nil }
        return Resolution.withCurrent { $0.path.dependent }
    }
}
