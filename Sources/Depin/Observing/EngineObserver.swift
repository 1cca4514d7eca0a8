/// Is told what a container is requested and makes: observers, validations and strict tests.
///
/// It is called on the thread that resolves, under no lock.
package protocol EngineObserver: AnyObject, Sendable {
    /// True where children and forks that are made from now on are observed too.
    var isInherited: Bool { get }

    /// A request begins; it fails with what is thrown here.
    func requested(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) throws

    /// The factory of a registration is about to run, unless something is thrown here.
    func willMake(_ registration: Registration, for request: Engine.Request, _ path: Path) throws

    /// A factory has returned, and so have the callbacks.
    func made(_ box: AnyBox, by registration: Registration, _ path: Path)

    /// A request has ended, as its observation says.
    func ended(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path)

    /// A `resolve` has found nothing, and gives nil.
    func gaveNothing(for request: Engine.Request, of asked: Engine, _ path: Path)

    /// The user drops the instances that a scope keeps here and in the parents, whose closers do not run.
    func willReset(_ scope: any ObjectScopeProtocol, serviceType: Any.Type?, of engine: Engine)

    /// Closers have failed, and nobody throws their errors; true where this tells the user.
    func failedToClose(_ error: CloseError) -> Bool

    /// The program stops with an error, or this thread alone, unless this does not return; true where nobody needs to
    /// hear of the latter.
    func willStop(for error: any Error, _ resolution: Resolution) -> Bool
}

extension EngineObserver {
    package var isInherited: Bool { true }
    package func requested(_: Engine.Request, _: ObservedRequest, _: Path) throws {}
    package func willMake(_: Registration, for: Engine.Request, _: Path) throws {}
    package func made(_ box: AnyBox, by registration: Registration, _ path: Path) {}
    package func ended(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {}
    package func gaveNothing(for request: Engine.Request, of asked: Engine, _ path: Path) {}
    package func willReset(
        _ scope: any ObjectScopeProtocol,
        serviceType: Any.Type?,
        of engine: Engine
    ) {}
    package func failedToClose(_ error: CloseError) -> Bool { false }
    package func willStop(for error: any Error, _ resolution: Resolution) -> Bool { false }
}

/// Those who observe one container.
private final class Observers: EngineAddition {
    override var lifetime: Lifetime { .container }

    var all: [any EngineObserver] = []
}

extension Engine {
    /// Lets someone observe.
    package func observe(by observer: any EngineObserver) {
        changeObservers { $0 + [observer] }
    }

    /// Ends it.
    package func endObserving(by observer: any EngineObserver) {
        changeObservers { $0.filter { $0 !== observer } }
    }

    package var observers: [any EngineObserver] {
        guard hasFlag(.isObserved) else { return [] }
        return state.withLock { $0.additions.find(Observers.self)?.all.copied } ?? []
    }

    /// The observers of children and forks.
    var inheritedObservers: [any EngineObserver] { observers.filter(\.isInherited) }

    @inline(never)
    private func changeObservers(_ change: ([any EngineObserver]) -> [any EngineObserver]) {
        let dropped = state.withLock { state in
            let observers = state.additions.made(Observers.self)
            defer {
                observers.all = change(observers.all)
                setFlag(.isObserved, !observers.all.isEmpty)
            }
            return observers.all
        }
        withExtendedLifetime(dropped) {}
    }

    /// Who is to hear of a request; nil for nobody.
    func observation(of request: inout Request, _ path: Path) -> (any Observation)? {
        guard hasFlag(.isObserved), !request.isReported else { return nil }
        request.isReported = true
        let found = find(request.key)
        // The request for what an optional wraps tells.
        if found == nil, request.key.serviceType is any OptionalValue.Type { return nil }
        let observation = ObservedRequest(by: observers, of: self, found)
        request.observation = observation
        return observation
    }

    /// Tells the observers that a `resolve` gives nil.
    func tellNothing(for key: ServiceKey, _ arguments: Arguments?, _ owner: Owner?) {
        guard hasFlag(.isObserved) || hasFlag(.hasForks) else { return }
        Resolution.withCurrent { resolution in
            let (engine, owner) = inForce(resolution.path) ?? (self, owner)
            let request = Request(key, arguments, owner)
            for observer in engine.observers {
                observer.gaveNothing(for: request, of: engine, resolution.path)
            }
        }
    }
}

/// One request, and those who hear of it.
///
/// It belongs to who answers the request, whose steps follow each other.
package final class ObservedRequest: Observation {
    private let observers: [any EngineObserver]
    package let asked: Engine
    /// What stands under its key.
    package let found: Found?
    private let start = ContinuousClock.now
    /// How far it has come.
    package private(set) nonisolated(unsafe) var outcome = ResolutionEvent.Outcome.requested
    /// Why it failed, if it did.
    package private(set) nonisolated(unsafe) var error: (any Error)?
    /// How long it took, once it has ended.
    private(set) nonisolated(unsafe) var duration: Duration?

    fileprivate init(by observers: [any EngineObserver], of asked: Engine, _ found: Found?) {
        self.observers = observers
        self.asked = asked
        self.found = found
    }

    func tellBegin(_ request: Engine.Request, _ path: Path) throws {
        for observer in observers { try observer.requested(request, self, path) }
    }

    func tellMaking(_ registration: Registration, _ request: Engine.Request, _ path: Path) throws {
        // So it will be, unless that fails.
        outcome = .built
        for observer in observers { try observer.willMake(registration, for: request, path) }
    }

    func tellMade(_ box: AnyBox, by registration: Registration, _ path: Path) {
        for observer in observers { observer.made(box, by: registration, path) }
    }

    func tellEnd(_ request: Engine.Request, _ box: AnyBox?, _ path: Path) {
        if box == nil {
            outcome = .missing
        } else if found == nil {
            outcome = .derived
        } else if outcome != .built {
            outcome = .reused
        }
        tell(request, path)
    }

    func tellFailure(_ request: Engine.Request, _ error: any Error, _ path: Path) {
        (outcome, self.error) = (.failed, error)
        tell(request, path)
    }

    private func tell(_ request: Engine.Request, _ path: Path) {
        duration = ContinuousClock.now - start
        for observer in observers { observer.ended(request, self, path) }
    }
}
