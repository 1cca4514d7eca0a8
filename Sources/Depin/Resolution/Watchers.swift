/// Is told what a container is requested and makes: observers, validations and strict tests are watchers.
///
/// It is called on the thread that resolves, under no lock.
protocol Watcher: AnyObject, Sendable {
    /// True where children and forks that are made from now on are watched too.
    var isInherited: Bool { get }

    /// A request begins; it fails with what is thrown here.
    func requested(_ request: borrowing ServiceRequest, _ found: Found?, _ path: Path) throws
    /// The factory of a registration is about to run, unless something is thrown here.
    func willMake(_ entry: AnyServiceEntry, for request: borrowing ServiceRequest, _ path: Path)
        throws
    /// A factory has returned, and so have the callbacks.
    func made(_ box: AnyBox, by entry: AnyServiceEntry, _ path: Path)
    /// A request has ended.
    func ended(
        _ request: borrowing ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    )
    /// A `resolve` has found nothing, and gives nil.
    func gaveNothing(for request: borrowing ServiceRequest, _ path: Path)
    /// A reset has dropped instances of these registrations, which have closers that do not run.
    func dropped(_ entries: [AnyServiceEntry])
    /// The program stops with an error, unless this does not return.
    func willStop(for error: any Error, _ path: Path)
}

extension Watcher {
    var isInherited: Bool { true }
    func requested(_ request: borrowing ServiceRequest, _ found: Found?, _ path: Path) throws {}
    func willMake(_ entry: AnyServiceEntry, for request: borrowing ServiceRequest, _ path: Path)
        throws
    {}
    func made(_ box: AnyBox, by entry: AnyServiceEntry, _ path: Path) {}
    func ended(
        _ request: borrowing ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    ) {}
    func gaveNothing(for request: borrowing ServiceRequest, _ path: Path) {}
    func dropped(_ entries: [AnyServiceEntry]) {}
    func willStop(for error: any Error, _ path: Path) {}
}

/// How a request ended.
enum RequestEnd {
    /// The instance existed: its scope kept it, or the graph had it.
    case reused
    /// The factory has run.
    case built
    /// The request was for a type made from a registration: a `Lazy` or a `Provider`, for example.
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

    var watchers: [any Watcher] {
        hasFlag(.isWatched) ? state.withLock { $0.watchers.copied } : []
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

    /// Tells the watchers that a `resolve` gives nil.
    @inline(never)
    func tellNothing(for key: ServiceKey, _ arguments: Arguments?, _ owner: CoreOwner?) {
        guard hasFlag(.isWatched) || hasFlag(.hasForks) else { return }
        Path.withCurrent { path in
            let (core, owner) = inForce(path) ?? (self, owner)
            let request = ServiceRequest(key, arguments, to: core, owner)
            for watcher in core.watchers { watcher.gaveNothing(for: request, path) }
        }
    }

    /// Answers a request, and tells the watchers.
    func answerWatched(_ request: inout ServiceRequest, _ path: Path) throws -> AnyBox? {
        let found = find(request.key)
        if found == nil, request.key.serviceType is any OptionalValue.Type {
            // The request for what it wraps tells.
            request.watchers = []
            return try answer(&request, path)
        }
        let watching = Watching(found, watchers)
        request.watchers = watching.watchers
        do {
            try watching.begin(request, path)
            let box = try answer(&request, path)
            watching.end(request, box, path)
            return box
        } catch {
            watching.fail(request, error, path)
            throw error
        }
    }
}

/// One request, and those who hear of it.
struct Watching {
    let watchers: [any Watcher]
    private let found: Found?
    private let start = ContinuousClock.now

    init(_ found: Found?, _ watchers: [any Watcher]) {
        self.found = found
        self.watchers = watchers
    }

    func begin(_ request: borrowing ServiceRequest, _ path: Path) throws {
        for watcher in watchers { try watcher.requested(request, found, path) }
    }

    func end(_ request: borrowing ServiceRequest, _ box: AnyBox?, _ path: Path) {
        if box == nil {
            tell(.missing, request, path)
        } else if found == nil {
            tell(.derived, request, path)
        } else {
            tell(request.isMade ? .built : .reused, request, path)
        }
    }

    func fail(_ request: borrowing ServiceRequest, _ error: any Error, _ path: Path) {
        tell(.failed(error), request, path)
    }

    private func tell(_ end: RequestEnd, _ request: borrowing ServiceRequest, _ path: Path) {
        let duration = ContinuousClock.now - start
        for watcher in watchers { watcher.ended(request, found, end, after: duration, path) }
    }
}

extension Core {
    /// Tells the watchers that a factory is about to run.
    func tellWillMake(
        _ entry: AnyServiceEntry,
        _ request: borrowing ServiceRequest,
        _ path: Path
    ) throws {
        for watcher in request.watchers ?? [] { try watcher.willMake(entry, for: request, path) }
    }
}

extension Path {
    /// The innermost step that builds something.
    var builder: Step? { steps.last { $0.entry != nil } }
}
