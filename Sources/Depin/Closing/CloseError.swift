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

        init(of registration: Registration, _ error: any Error) {
            request = ResolutionError.Request(registration.key)
            registeredAt = registration.place
            self.error = error
        }
    }

    /// The errors, in the order in which the instances closed; those of children come first.
    public let failures: [Failure]

    /// One line for each failure, as many as fit on a page.
    public var description: String {
        let count = failures.count == 1 ? "1 closer" : "\(failures.count) closers"
        return Page.cut((["\(count) failed:"] + lines).joined(separator: "\n  "))
    }

    fileprivate var lines: [String] {
        let name = TypeNames(failures.map(\.request.serviceType))
        let texts = failures.lazy.map { failure in
            "\(ResolutionError.Wording.text(of: failure.request, name.callAsFunction)),"
                + " registered at \(failure.registeredAt): \(failure.error)"
        }
        return Page.list(texts, lines: 80)
    }
}

extension Engine {
    /// Tells those who observe the container, or a parent, of errors of closers that nobody throws, and standard error
    /// where there are none.
    func report(_ failures: [CloseError.Failure]) {
        guard !failures.isEmpty else { return }
        let error = CloseError(failures: failures)
        let observers = chain.flatMap(\.observers).filter(\.hearsCloseErrors)
        for observer in observers { observer.failedToClose(error) }
        guard observers.isEmpty else { return }
        for line in error.lines {
            // What an error says may have several lines.
            let words = line.split(whereSeparator: \.isNewline).joined(separator: " ")
            printToStandardError("Depin: a closer failed: \(words)")
        }
    }
}
