/// Hears of the requests and instances of a container, for observers, validations and strict tests.
///
/// It is called on the resolving thread, under no lock.
package protocol EngineObserver: AnyObject, Sendable {
    /// True if later children and forks are observed, too.
    var isInherited: Bool { get }

    /// A request begins; an error thrown here fails it.
    func requested(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) throws

    /// The factory of a registration is about to run; an error thrown here prevents that.
    func willMake(_ registration: Registration, for request: Engine.Request, _ path: Path) throws

    /// A factory and the callbacks have returned.
    func made(_ box: AnyBox, by registration: Registration, _ path: Path)

    /// A request has ended, as its observation says.
    func ended(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path)

    /// A `resolve` has found nothing, and returns nil.
    func gaveNothing(for request: Engine.Request, of asked: Engine, _ path: Path)

    /// A reset by the user is about to drop the instances of a registration, whose closers do not run.
    func willDropInstances(of registration: Registration)

    /// Closers have failed, and nobody throws their errors; true if the observer tells the user.
    func failedToClose(_ error: CloseError) -> Bool

    /// An error is about to stop the program, or to abandon this thread; true if the latter needs no message.
    func willStop(for error: any Error, _ resolution: Resolution) -> Bool
}

extension EngineObserver {
    package var isInherited: Bool { true }
    package func requested(_: Engine.Request, _: ObservedRequest, _: Path) throws {}
    package func willMake(_: Registration, for: Engine.Request, _: Path) throws {}
    package func made(_ box: AnyBox, by registration: Registration, _ path: Path) {}
    package func ended(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {}
    package func gaveNothing(for request: Engine.Request, of asked: Engine, _ path: Path) {}
    package func willDropInstances(of registration: Registration) {}
    package func failedToClose(_ error: CloseError) -> Bool { false }
    package func willStop(for error: any Error, _ resolution: Resolution) -> Bool { false }
}

/// The observers of one container.
private final class Observers: EngineAddition {
    override var lifetime: Lifetime { .container }

    var all: [any EngineObserver] = []
}

extension Engine {
    /// Adds an observer.
    package func observe(by observer: any EngineObserver) {
        changeObservers { $0 + [observer] }
    }

    /// Removes an observer.
    package func endObserving(by observer: any EngineObserver) {
        changeObservers { $0.filter { $0 !== observer } }
    }

    package var observers: [any EngineObserver] {
        guard hasFlag(.isObserved) else { return [] }
        return state.withLock { $0.additions.find(Observers.self)?.all.copied } ?? []
    }

    /// The observers that children and forks get.
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

    /// The observation of a request; nil if nobody observes it.
    func observation(of request: inout Request) -> (any Observation)? {
        guard hasFlag(.isObserved) else { return nil }
        let found = find(request.key)
        // The request for the wrapped type will tell.
        if found == nil, request.key.serviceType is any OptionalValue.Type { return nil }
        let observation = ObservedRequest(by: observers, of: self, found)
        request.observation = observation
        return observation
    }

    /// Tells the observers that a `resolve` returns nil.
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

/// One request and its observers.
///
/// Only the thread or task that answers the request uses it, step by step.
package final class ObservedRequest: Observation {
    private let observers: [any EngineObserver]
    package let asked: Engine
    /// The slot that answers the request.
    package let found: Found?
    private let start = ContinuousClock.now
    /// How far the request has come.
    package private(set) nonisolated(unsafe) var outcome = ResolutionEvent.Outcome.requested
    /// The error of a failed request.
    package private(set) nonisolated(unsafe) var error: (any Error)?
    /// How long the request took, once it has ended.
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
        // It will be, unless the factory fails.
        outcome = .built
        for observer in observers { try observer.willMake(registration, for: request, path) }
    }

    func tellMade(_ box: AnyBox, by registration: Registration, _ path: Path) {
        for observer in observers { observer.made(box, by: registration, path) }
    }

    func tellEnd(_ request: Engine.Request, _ result: Result<AnyBox?, any Error>, _ path: Path) {
        switch result {
        case .failure(let error): (outcome, self.error) = (.failed, error)
        case .success(nil): outcome = .missing
        case .success where found == nil: outcome = .derived
        case .success where outcome != .built: outcome = .reused
        case .success: break
        }
        duration = ContinuousClock.now - start
        for observer in observers { observer.ended(request, self, path) }
    }
}
