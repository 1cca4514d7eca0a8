/// What closers have thrown: all of it, in one error.
///
/// ```swift
/// do {
///     try await container.close()
/// } catch let error as CloseError {
///     for failure in error.failures { print(failure.request, failure.error) }
/// }
/// ```
///
/// The instances are closed all the same: whatever one closer throws, the others run.
public struct CloseError: Error, Sendable, CustomStringConvertible {
    /// What one closer has thrown.
    public struct Failure: Sendable {
        /// The registration whose instance was closed.
        public let request: ResolutionError.Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// What the closer has thrown.
        public let error: any Error
    }

    /// What was thrown, in the order in which the instances close: those of children first.
    public let failures: [Failure]

    /// One line for each failure.
    public var description: String {
        let name = TypeNames(failures.map(\.request.serviceType))
        let lines = failures.map { failure in
            "\n  \(ResolutionError.Wording.text(of: failure.request, name.callAsFunction)),"
                + " registered at \(failure.registeredAt): \(failure.error)"
        }
        let count = failures.count == 1 ? "1 closer" : "\(failures.count) closers"
        return "\(count) failed:" + lines.joined()
    }
}
