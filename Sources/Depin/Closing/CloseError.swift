/// All errors of closers, in one error.
///
/// ```swift
/// do {
///     try await container.close()
/// } catch let error as CloseError {
///     for failure in error.failures { print(failure.request, failure.error) }
/// }
/// ```
///
/// The instances are closed all the same: if one closer throws, the others still run.
public struct CloseError: Error, Sendable, CustomStringConvertible {
    /// The error of one closer.
    public struct Failure: Sendable {
        /// The registration whose instance was closed.
        public let request: ResolutionError.Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// The error that the closer threw.
        public let error: any Error
    }

    /// The errors, in the order in which the instances closed; those of children come first.
    public let failures: [Failure]

    /// One line for each failure, as many as fit on a page.
    public var description: String {
        let name = TypeNames(failures.map(\.request.serviceType))
        let texts = failures.lazy.map { failure in
            "\(ResolutionError.Wording.text(of: failure.request, name.callAsFunction)),"
                + " registered at \(failure.registeredAt): \(failure.error)"
        }
        let count = failures.count == 1 ? "1 closer" : "\(failures.count) closers"
        let lines = ["\(count) failed:"] + Page.list(texts, lines: 80)
        return Page.cut(lines.joined(separator: "\n  "))
    }
}
