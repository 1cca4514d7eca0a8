extension Engine {
    /// The builds that keep the container from its end after time has run out.
    func stillMaking(_ closing: Closing) -> [CloseError.Failure] {
        let slots = (registry.inOrder() + scopeSlots).flatMap { [$0] + $0.argumentSlots }
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

    /// The observers of closers' errors in this container.
    var closeErrorObservers: [any EngineObserver] {
        chain.flatMap(\.observers)
    }
}

extension [CloseError.Failure] {
    /// Tells observers of errors that nobody throws; without observers, prints them to standard error.
    package func report(to observers: [any EngineObserver]) {
        guard !isEmpty else { return }
        let error = CloseError(failures: self)
        let informed = observers.filter { $0.failedToClose(error) }
        guard informed.isEmpty else { return }
        for line in error.lines {
            // An error's text may have several lines.
            let words = line.split(whereSeparator: \.isNewline).joined(separator: " ")
            printToStandardError("Depin: a closer failed: \(words)")
        }
    }
}

extension CloseError.Failure {
    @inline(never)
    init(of registration: Registration, _ error: any Error) {
        request = ResolutionError.Request(registration.key)
        registeredAt = registration.place
        self.error = error
    }
}
