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
        let core = core.inForce
        let observation = ResolutionObservation(observer, of: core)
        core.watch(observation.watcher)
        return observation
    }
}

/// The observation of a container by an observer, until you end it.
public final class ResolutionObservation: Sendable {
    private let core: Core
    fileprivate let watcher: ObserverWatcher

    fileprivate init(_ observer: any ResolutionObserver, of core: Core) {
        self.core = core
        watcher = ObserverWatcher(observer)
    }

    /// Ends the observation.
    ///
    /// The observer may still see requests in progress.
    public func end() {
        core.endWatching(watcher)
    }
}

/// Tells an observer what a container is requested, and notes which registration needs which.
final class ObserverWatcher: Watcher {
    private let observer: any ResolutionObserver
    let needs = Needs()

    init(_ observer: any ResolutionObserver) {
        self.observer = observer
    }

    var isInherited: Bool { false }

    func requested(_ request: borrowing ServiceRequest, _ found: Found?, _ path: Path) {
        needs.note(request, found, path)
        tell(.requested, request, found, path)
    }

    func ended(
        _ request: borrowing ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    ) {
        let outcome: ResolutionEvent.Outcome
        var failure: (any Error)?
        switch end {
        case .reused: outcome = .reused
        case .built: outcome = .built
        case .derived: outcome = .derived
        case .missing: outcome = .missing
        case .failed(let error): (outcome, failure) = (.failed, error)
        }
        tell(outcome, request, found, path, failure, after: duration)
    }

    private func tell(
        _ outcome: ResolutionEvent.Outcome,
        _ request: borrowing ServiceRequest,
        _ found: Found?,
        _ path: Path,
        _ error: (any Error)? = nil,
        after duration: Duration? = nil
    ) {
        observer.observe(
            ResolutionEvent(
                request: request.forError,
                outcome: outcome,
                error: error,
                registeredAt: found?.entry.place,
                path: path.forError,
                duration: duration
            )
        )
    }
}
