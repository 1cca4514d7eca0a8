/// Where a validation runs the factories of a path.
protocol Stage: AnyObject, Sendable {
    /// Where it runs those of the main actor.
    var mainActor: MainActorPlace { get }
    /// Runs a body on the thread that validates, with the path of this one.
    func onCallingThread<Result>(_ path: Path, _ body: () throws -> Result) throws -> Result
    /// Leaves behind what runs here, on a path that has been given up; returns where it cannot be.
    func leave(_ path: Path)
}

/// Where a ``Stage`` runs main-actor factories.
enum MainActorPlace {
    /// On its own thread, to which the one that validates lends the main actor.
    case ownThread
    /// On the thread that validates: it is the process's main thread, which user interfaces insist on.
    case callingThread
    case nowhere
}
