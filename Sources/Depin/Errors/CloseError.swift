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
/// If one closer throws, the others still run. With a time limit, the error also names what is still running
/// when time runs out.
public struct CloseError: Error, Sendable, CustomStringConvertible {
    /// The error of one closer, or the fact that it is still running.
    public struct Failure: Sendable {
        /// The registration whose instance was closed.
        public let request: ResolutionError.Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// The error that the closer threw, or one that says that it is still running.
        public let error: any Error
        /// True if the closer, or the build of the instance, was still running when time ran out.
        public var isStillRunning: Bool { error is StillRunning }
    }

    /// The errors, in the order in which the instances closed; those of children come first.
    public let failures: [Failure]

    /// One line for each failure, as many as fit on a page.
    public var description: String {
        let running = failures.count(where: \.isStillRunning)
        let failed = failures.count - running
        let counts = [
            failed == 0 ? nil : "\(failed) \(failed == 1 ? "closer" : "closers") failed",
            running == 0 ? nil : "time ran out with \(running) still running",
        ]
        let title = counts.compactMap(\.self).joined(separator: "; ")
        return Page.cut(([title + ":"] + lines).joined(separator: "\n  "))
    }

    var lines: [String] {
        let name = TypeNames(failures.map(\.request.serviceType))
        let texts = failures.lazy.map { failure in
            "\(failure.request.key.text(name)),"
                + " registered at \(failure.registeredAt): \(failure.error)"
        }
        return Page.list(texts, lines: 80)
    }
}

/// The error for a closer or a build that still runs when closing has run out of time.
struct StillRunning: Error, CustomStringConvertible {
    let description: String

    static var closer: Self { Self(description: "its closer is still running and was canceled") }
    static var build: Self { Self(description: "it is still being built") }
    static var unknownBuild: Self { Self(description: "something unshared is still being built") }
}
