/// Is told what a container is requested and makes: observers, validations and strict tests are watchers.
///
/// It is called on the thread that resolves, under no lock.
protocol Watcher: AnyObject, Sendable {
    /// True where children and forks that are made from now on are watched too.
    var isInherited: Bool { get }
    /// What is to be said before the program stops in a resolution that is watched.
    var account: String { get }

    /// A request begins; it fails with what is thrown here.
    func requested(_ request: ServiceRequest, _ found: Found?, _ path: Path) throws
    /// The factory of a registration is about to run.
    func willMake(_ entry: AnyServiceEntry, for request: ServiceRequest, _ path: Path)
    /// A factory has returned, and so have the callbacks.
    func made(_ box: AnyBox, by entry: AnyServiceEntry, _ path: Path)
    /// A request has ended.
    func ended(
        _ request: ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    )
}

extension Watcher {
    var isInherited: Bool { true }
    var account: String { "" }
    func requested(_ request: ServiceRequest, _ found: Found?, _ path: Path) throws {}
    func willMake(_ entry: AnyServiceEntry, for request: ServiceRequest, _ path: Path) {}
    func made(_ box: AnyBox, by entry: AnyServiceEntry, _ path: Path) {}
    func ended(
        _ request: ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    ) {}
}

/// How a request ended.
enum RequestEnd {
    /// The instance was there already: kept by its scope, or found in the graph.
    case reused
    /// The factory has run.
    case built
    /// What was requested is made from a registration: a `Lazy` or a `Provider`, for example.
    case derived
    /// Nothing is registered for it.
    case missing
    case failed(any Error)
}

/// A registration and where it was found.
struct Found {
    let entry: AnyServiceEntry
    let holder: Core
}

extension Core {
    /// Lets someone watch.
    func watch(_ watcher: any Watcher) {
        changeWatchers { $0 + [watcher] }
    }

    /// Ends it.
    func endWatching(_ watcher: any Watcher) {
        changeWatchers { $0.filter { $0 !== watcher } }
    }

    private func changeWatchers(_ change: ([any Watcher]) -> [any Watcher]) {
        let dropped = state.withLock { state in
            defer {
                state.watchers = change(state.watchers)
                setFlag(.isWatched, !state.watchers.isEmpty)
            }
            return state.watchers
        }
        withExtendedLifetime(dropped) {}
    }

    /// Answers a request, and tells the watchers.
    func answerWatched(_ request: inout ServiceRequest, _ path: Path) throws -> AnyBox? {
        let found = find(request.key)
        if found == nil, request.key.serviceType is any OptionalValue.Type {
            // The request for what it wraps tells.
            request.watchers = []
            return try answer(&request, path)
        }
        let watchers = state.withLock { $0.watchers.copied }
        request.watchers = watchers
        let start = ContinuousClock.now
        func tell(_ end: RequestEnd) {
            let duration = ContinuousClock.now - start
            for watcher in watchers { watcher.ended(request, found, end, after: duration, path) }
        }
        do {
            for watcher in watchers { try watcher.requested(request, found, path) }
            let box = try answer(&request, path)
            if box == nil {
                tell(.missing)
            } else if found == nil {
                tell(.derived)
            } else {
                tell(request.isMade ? .built : .reused)
            }
            return box
        } catch {
            tell(.failed(error))
            throw error
        }
    }
}

extension Core {
    /// Tells the watchers that a factory is about to run.
    func tellWillMake(_ entry: AnyServiceEntry, _ request: inout ServiceRequest, _ path: Path) {
        for watcher in request.watchers ?? [] { watcher.willMake(entry, for: request, path) }
    }
}

extension Path {
    /// What those who watch the resolution under way have to say before the program stops.
    var account: String {
        for step in steps.reversed() {
            let watchers = step.asked.state.withLock { $0.watchers.copied }
            if let text = watchers.map(\.account).first(where: { !$0.isEmpty }) { return text }
        }
        return ""
    }

    /// The innermost step that builds something.
    var builder: Step? { steps.last { $0.entry != nil } }
}
