/// Where a validation runs the factories of a path.
protocol Stage: AnyObject, Sendable {
    /// True where the thread that validates is the main one.
    var hasMainThread: Bool { get }
    /// Runs a body on the thread that validates, with the path of this one.
    func onMainThread<Result>(_ path: Path, _ body: () throws -> Result) throws -> Result
    /// Leaves behind what runs here, on a path that has been given up; returns where it cannot be.
    func leave(_ path: Path)
}
