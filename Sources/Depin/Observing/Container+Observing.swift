extension Container {
    /// Sends every request to this container to an observer from now on.
    ///
    /// ```swift
    /// let observation = container.addObserver(ResolutionTrace())
    /// let feed = container ~> Feed.self
    /// observation.end()
    /// ```
    ///
    /// To see requests to a child, observe the child, too. Without an observer this costs nothing; with
    /// one, every request takes the slow path. The container holds the observer until the observation ends,
    /// so an observer that holds the container is a reference cycle.
    ///
    /// - Returns: The observation, which you can end or ignore.
    @discardableResult
    public func addObserver(_ observer: any ResolutionObserver) -> ResolutionObservation {
        let engine = engine.inForce
        let observation = ResolutionObservation(observer, of: engine)
        engine.observe(by: observation.observer)
        return observation
    }
}

/// The observation of a container by an observer, until you end it.
public final class ResolutionObservation: Sendable {
    private let engine: Engine
    fileprivate let observer: ObserverRelay

    fileprivate init(_ observer: any ResolutionObserver, of engine: Engine) {
        self.engine = engine
        self.observer = ObserverRelay(observer)
    }

    /// Ends the observation.
    ///
    /// The observer may still see requests in progress.
    public func end() {
        engine.endObserving(by: observer)
    }
}

/// Tells an observer what a container is requested, and notes which registration needs which.
package final class ObserverRelay: EngineObserver {
    private let observer: any ResolutionObserver
    package let needs = ObservedNeeds()

    init(_ observer: any ResolutionObserver) {
        self.observer = observer
    }

    package var isInherited: Bool { false }

    package func requested(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path)
    {
        needs.note(request, observation, path)
        tell(request, observation, path)
    }

    package func ended(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {
        tell(request, observation, path)
    }

    package func failedToClose(_ error: CloseError) -> Bool {
        let request = ResolutionError.Request(ServiceKey(Container.self))
        observer.observe(ResolutionEvent(request: request, outcome: .failedToClose, error: error))
        return true
    }

    private func tell(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {
        observer.observe(
            ResolutionEvent(
                request: request.forError,
                outcome: observation.outcome,
                error: observation.error,
                registeredAt: observation.found?.registration.place,
                path: path.forError,
                duration: observation.duration
            )
        )
    }
}
