import Synchronization

extension Engine {
    /// A request for a service in all its parts but the container that is asked.
    package struct Request {
        package internal(set) var key: ServiceKey
        package internal(set) var arguments: Arguments?
        /// Keeps the container open that is asked; nil where the request must not: see ``Owner``.
        var owner: Owner?
        /// The place of the `@Injected` property that makes the request.
        var injectedAt: CodePlace?
        /// True where a graph begins although a resolution is under way: for `@Injected` and `Provider`.
        var beginsGraph = false
        /// True where nil is no answer, so that a collection to which nobody contributes is empty.
        package var isNeeded = false
        /// True where it takes the turn of its hierarchy to run factories: see
        /// ``Container/synchronize(serializingFactories:)``.
        var takesTurn = false
        /// True where it is made in a task, which can wait for what takes time.
        package var mayAwait = false
        /// True where who makes the instance may be suspended meanwhile, for which synchronous code cannot wait.
        var takesTime = false
        /// What a task has awaited, around which the instance is to be made.
        var awaited: AwaitedInner?
        /// Those who hear of it, once they have heard of its beginning.
        var observation: (any Observation)?
        /// True where the observers of the container have heard of the request, or are not to.
        var isReported = false

        /// The same request for another type.
        func with(_ serviceType: Any.Type) -> Engine.Request { with(key.with(serviceType)) }

        /// The same request for another key, of which nobody has heard.
        func with(_ key: ServiceKey) -> Engine.Request {
            var request = self
            request.key = key
            (request.isReported, request.observation) = (false, nil)
            return request
        }

        package var forError: ResolutionError.Request {
            ResolutionError.Request(key, injectedAt: injectedAt)
        }
    }
}

// In an extension, because an initializer that the compiler has made builds a request without a copy (row 4g).
extension Engine.Request {
    package init(_ key: ServiceKey, _ arguments: Arguments? = nil, _ owner: Owner? = nil) {
        self.init(key: key, arguments: arguments, owner: owner)
    }
}

/// What a task has awaited, to have decorators put around it.
///
/// It is awaited before the slot of the decorated instance is claimed. A reset that comes between does what it would
/// have done to a build: what is made is for those who have asked for it, and nobody else.
final class AwaitedInner: Sendable {
    let box: AnyBox
    /// The slot of what is decorated.
    let slot: Slot
    private let outer: Slot
    private let lastReset: UInt

    init(_ box: AnyBox, of slot: Slot, for outer: Slot, after lastReset: UInt) {
        (self.box, self.slot, self.outer, self.lastReset) = (box, slot, outer, lastReset)
    }

    /// True where what is made of it is for those alone who have asked for it by now.
    var isStale: Bool { outer.lastReset != lastReset }
}

extension Engine {
    /// What a task has awaited, for the instance that is made of it.
    func take(_ awaited: AwaitedInner, _ step: UnsafeMutablePointer<Resolution.Step>) -> AnyBox {
        if hasFlag(.notesNeeds), !awaited.isStale {
            note(step.pointee.dependent, needs: awaited.slot.node(of: awaited.box))
        }
        return awaited.box
    }
}

/// Those who hear of one request.
protocol Observation: AnyObject, Sendable {
    func tellBegin(_ request: Engine.Request, _ path: Path) throws
    func tellMaking(_ registration: Registration, _ request: Engine.Request, _ path: Path) throws
    func tellMade(_ box: AnyBox, by registration: Registration, _ path: Path)
    func tellEnd(_ request: Engine.Request, _ box: AnyBox?, _ path: Path)
    func tellFailure(_ request: Engine.Request, _ error: any Error, _ path: Path)
}

/// An instance that asks for others: while it is built, and later through the `Lazy`s, the `Provider`s, the
/// properties and the resolver that it was given, which hold this.
package final class Dependent: Sendable {
    let engine: Engine
    /// Names the instance in the graph of needs.
    let number = Serial.next()

    /// Notes an instance that is about to be built.
    init(in engine: Engine) {
        self.engine = engine
        if !Self.isInUse.load(ordering: .relaxed) { Self.isInUse.store(true, ordering: .relaxed) }
        engine.setFlag(.notesBuilds)
        engine.state.withLock { [number] in $0.needs.addNode(number) }
    }

    deinit {
        engine.state.withLock { [number] in $0.needs.endAsking(number) }
    }

    /// Whether there ever was one: where none was, nobody has to look for it.
    static let isInUse = Atomic(false)

    /// The instance that is being made on this thread, or in this task.
    static var current: Dependent? {
        guard isInUse.load(ordering: .relaxed) else { return nil }
        return Resolution.withCurrent { $0.path.dependent }
    }
}
