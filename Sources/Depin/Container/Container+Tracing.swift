extension Container {
    /// Tells an observer of every request to this container from now on.
    ///
    /// ```swift
    /// let observation = container.addObserver(ResolutionTrace())
    /// let feed = container ~> Feed.self
    /// observation.end()
    /// ```
    ///
    /// Requests to a child are the child's: observe it too. While nobody observes, this costs nothing;
    /// while someone does, every request takes the long way.
    ///
    /// - Returns: Ends the observation. It may be ignored.
    @discardableResult
    public func addObserver(_ observer: any ResolutionObserver) -> ResolutionObservation {
        core.addObserver(observer)
    }
}

/// An observer's time with a container.
public final class ResolutionObservation: Sendable {
    private let core: ContainerCore
    fileprivate let observer: any ResolutionObserver

    fileprivate init(_ observer: any ResolutionObserver, of core: ContainerCore) {
        self.observer = observer
        self.core = core
    }

    /// Tells the observer no more.
    ///
    /// Requests that are under way may still be told.
    public func end() {
        core.remove(self)
    }
}

extension ContainerCore {
    fileprivate func addObserver(_ observer: any ResolutionObserver) -> ResolutionObservation {
        let observation = ResolutionObservation(observer, of: self)
        change { $0 + [observation] }
        return observation
    }

    fileprivate func remove(_ observation: ResolutionObservation) {
        change { $0.filter { $0 !== observation } }
    }

    private func change(
        _ body: ([ResolutionObservation]) -> [ResolutionObservation]
    ) {
        let dropped = madeNotes.withState { state in
            let old = state.interceptor
            let observations = body((old as? Observers)?.observations ?? [])
            state.interceptor = observations.isEmpty ? nil : Observers(observations)
            if observations.isEmpty {
                detours.bitwiseAnd(~Self.isWatched, ordering: .sequentiallyConsistent)
            } else {
                detours.bitwiseOr(Self.isWatched, ordering: .sequentiallyConsistent)
            }
            return old
        }
        withExtendedLifetime(dropped) {}
    }
}

/// Tells the observers of a core what is asked of it.
private final class Observers: Interceptor, @unchecked Sendable {  // Nothing changes after init.
    let observations: [ResolutionObservation]

    init(_ observations: [ResolutionObservation]) {
        self.observations = observations
    }

    override func intercept<Service>(
        _ request: ServiceRequest,
        in core: ContainerCore,
        _ proceed: (ServiceRequest) throws -> Service?
    ) throws -> Service? {
        let found = core.lookUp(request.key)
        if found == nil, Service.self is any OptionalValue.Type {
            // The request for what it wraps tells.
            return try proceed(request)
        }
        let path = Resolution.path
        let start = ContinuousClock.now
        func tell(_ outcome: ResolutionEvent.Outcome, after duration: Duration? = nil) {
            let event = ResolutionEvent(
                request: request.forError,
                outcome: outcome,
                registeredAt: found?.entry.place,
                path: path,
                duration: duration
            )
            for observation in observations {
                observation.observer.observe(event)
            }
        }
        tell(.asked)
        core.noteNeed(for: request, found)
        var isMade = false
        let answer: Service?
        do {
            var request = request
            request.onMake = { isMade = true }
            answer = try proceed(request)
        } catch {
            tell(.failed(error), after: ContinuousClock.now - start)
            throw error
        }
        let outcome: ResolutionEvent.Outcome =
            if case .none = answer {
                .missing
            } else if found == nil {
                .derived
            } else {
                isMade ? .built : .reused
            }
        tell(outcome, after: ContinuousClock.now - start)
        return answer
    }
}

extension ContainerCore {
    /// Notes that the registration under way needs what it asks for.
    func noteNeed(for request: ServiceRequest, _ found: Found?) {
        guard let frame = Resolution.builder else { return }
        if let found {
            return noteNeed(of: frame, for: found, deferral: .none)
        }
        guard let derived = request.key.serviceType as? any DerivedService.Type,
            let source = derived.source, let found = lookUp(request.asking(for: source).key)
        else { return }
        noteNeed(of: frame, for: found, deferral: derived.deferral)
    }
}
