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
        engine.observe(by: observation)
        return observation
    }
}

/// The observation of a container by an observer, until you end it.
public final class ResolutionObservation: EngineObserver {
    // The engine holds the observation. It never changes; a `weak let` needs Swift 6.3 (SE-0481).
    private nonisolated(unsafe) weak var engine: Engine?
    private let observer: any ResolutionObserver
    /// Which registration was seen to need which.
    package let needs = ObservedNeeds()

    fileprivate init(_ observer: any ResolutionObserver, of engine: Engine) {
        self.engine = engine
        self.observer = observer
    }

    /// Ends the observation.
    ///
    /// The observer may still see requests in progress.
    public func end() {
        engine?.endObserving(by: self)
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
