/// Where a validation runs the factories.
package protocol Stage: AnyObject, Sendable {
    /// Where it runs those of the main actor.
    var mainActor: MainActorPlace { get }

    /// What the validation itself has begun.
    var outerPath: Path { get }
    /// Runs a body on the thread that validates, as a part of this one's resolution.
    func onCallingThread<Result>(_ resolution: Resolution, _ body: () throws -> Result) throws
        -> Result
    /// Leaves behind what runs here, which has been given up; returns where it cannot be.
    func leave(_ resolution: Resolution)
}

/// Where a ``Stage`` runs main-actor factories.
package enum MainActorPlace {
    /// On its own thread, to which the one that validates lends the main actor.
    case ownThread
    /// On the thread that validates: it is the process's main thread, which user interfaces insist on.
    case callingThread
    case nowhere
}
