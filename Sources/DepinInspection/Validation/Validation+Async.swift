import Depin

// The part of a validation that makes asynchronous services.

extension Validation {
    /// Finds problems, also by making asynchronous services.
    ///
    /// These come first, so that the factories that run on the executor find them ready.
    func runAsync(isolation: isolated (any Actor)?) async throws -> ValidationReport {
        checkTypes()
        await awaitAll()
        // If the task is canceled, the rest would be made in vain.
        let made = Task.isCancelled ? finish() : build()
        for run in made { await run.run().report(to: run.observers) }
        // A service that was not made because of cancellation would look like a problem.
        try Task.checkCancellation()
        return try result()
    }

    /// Has all asynchronous services made: as in a warm-up, those last whose synchronous parts may request the others.
    private func awaitAll() async {
        let frame = TaskFrame(of: graph, in: container.engine, container.owner)
        let (survey, rest) = state.withLock { ($0.survey, $0.rest) }
        let keys = rest.reversed().map { survey.nodes[$0] }
            .filter { $0.registration.key.arguments == nil }
            .flatMap { visibleKeys(of: $0).filter(takesTime) }
        func isEarly(_ key: ServiceKey) -> Bool {
            container.engine.find(key)?.hasKnownNeeds == true
        }
        let ordered = keys.filter(isEarly) + keys.filter { !isEarly($0) }
        await frame.run {
            for key in ordered where !Task.isCancelled {
                let executor = AsyncValidationExecutor()
                state.withLock { $0.executor = executor }
                await executor.execute { [self] in await awaitInstance(of: key, in: frame) }
            }
        }
    }

    private func awaitInstance(of key: ServiceKey, in frame: TaskFrame) async {
        do {
            let request = Engine.Request(key, nil, container.owner)
            _ = try await container.engine.needed(request, in: frame)
        } catch let error as ResolutionError {
            if error.reason == .circularDependency, let found = container.engine.find(key) {
                state.withLock { _ = $0.circular.insert(found.registration.number) }
            }
            _ = noteError(error)
        } catch {
            // The task was canceled: services that were not made are not checked.
        }
    }
}
