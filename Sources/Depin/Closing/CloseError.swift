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
            running == 0
                ? nil
                : "time ran out with \(running) still running",
        ]
        let title = counts.compactMap(\.self).joined(separator: "; ")
        return Page.cut(([title + ":"] + lines).joined(separator: "\n  "))
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

/// What is still under way when the time to close is over.
enum StillRunning: String, Error, CustomStringConvertible {
    case closer = "its closer is still running and was canceled"
    case build = "it is still being built"
    case unknownBuild = "something unshared is still being built"

    var description: String { rawValue }
}

extension Engine {
    /// What keeps the container from its end although the time is over.
    @_optimize(size)
    func stillMaking(_ closing: Closing) -> [CloseError.Failure] {
        let slots = (registry.slots + scopeSlots).flatMap { [$0] + $0.argumentSlots }
        let building = slots.filter(\.isBuilding).map {
            CloseError.Failure(of: $0.registration, StillRunning.build)
        }
        let unknown = CloseError.Failure(
            request: ResolutionError.Request(ServiceKey(Container.self)),
            registeredAt: closing.place,
            error: StillRunning.unknownBuild
        )
        return building.isEmpty ? [unknown] : building
    }

    /// Those who hear of errors of closers in this container.
    var closeErrorObservers: [any EngineObserver] {
        chain.flatMap { $0.observers.filter(\.hearsCloseErrors) }
    }
}

extension [CloseError.Failure] {
    /// Tells observers of errors that nobody throws, and standard error where nobody observes.
    @_optimize(size)
    func report(to observers: [any EngineObserver]) {
        guard !isEmpty else { return }
        let error = CloseError(failures: self)
        for observer in observers { observer.failedToClose(error) }
        guard observers.isEmpty else { return }
        for line in error.lines {
            // What an error says may have several lines.
            let words = line.split(whereSeparator: \.isNewline).joined(separator: " ")
            printToStandardError("Depin: a closer failed: \(words)")
        }
    }
}

extension CloseError.Failure {
    init(of registration: Registration, _ error: any Error) {
        request = ResolutionError.Request(registration.key)
        registeredAt = registration.place
        self.error = error
    }
}
