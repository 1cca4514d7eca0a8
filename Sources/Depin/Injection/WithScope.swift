extension Container {
    /// Opens a scope for an operation, and closes it at the end.
    ///
    /// ```swift
    /// try await container.withScope(.request, seeding: { $0.register(User.self, instance: user) }) {
    ///     scope in
    ///     try await respond(to: request, with: scope ~> Handler.self)
    /// }
    /// ```
    ///
    /// Inside, and in child tasks, the space's ``SpaceValues/dependenciesContainer`` is the open scope, so
    /// `@Injected` properties of objects that you make inside resolve from it, for as long as they live. An
    /// object that you made outside resolves as it does anywhere. If it needs a service that only the scope
    /// has, the message says so.
    ///
    /// At the end the scope closes, as ``close(_:within:file:line:)`` does, even if the operation throws or its task
    /// is canceled. Closers hear what became of the operation: it returned, it threw an error, or it threw after
    /// its task was canceled. For work that takes longer, such as a streamed response, open the scope with
    /// ``openScope(_:seeding:file:line:)`` instead, and close it yourself.
    ///
    /// The operation runs on the caller's actor.
    ///
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws, or else a ``CloseError`` with the errors of closers. If both fail,
    ///   the container's observers hear of the ``CloseError``; without observers, standard error shows a line
    ///   for each service.
    @discardableResult
    public func withScope<Result>(
        _ scope: ObjectScope,
        seeding: (Container) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        operation: (Container) async throws -> Result
    ) async throws -> Result {
        try engine.checkMayOpen(scope)
        let place = CodePlace(file: file, line: line)
        let opened = open(scope, seeding: seeding, isEntered: true, at: place)
        let result: Result
        do {
            result = try await withSpace {
                $0.dependenciesContainer = opened
            } operation: {
                try await operation(opened)
            }
        } catch {
            await opened.close(after: error, file: file, line: line)
            throw error
        }
        try await opened.close(file: file, line: line)
        return result
    }
}

extension Container {
    /// Closes a scope whose operation has thrown an error, of which its caller is to hear first.
    private func close(after error: any Error, file: StaticString, line: UInt) async {
        let isCanceled = error is CancellationError || Task.isCancelled
        // A scope that has ended has none of its own.
        let observers = engine.closeErrorObservers
        do {
            try await close(isCanceled ? .canceled : .failed(error), file: file, line: line)
        } catch let error as CloseError {
            error.failures.report(to: observers)
        } catch {
            printToStandardError("Depin: \(error)")
        }
    }
}
