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
    /// `@Injected` properties of objects that you make inside resolve from it, for as long as it is open. An
    /// object that you made outside resolves as it does anywhere. If it needs a service that only the scope
    /// has, the message says so.
    ///
    /// At the end the scope closes, as ``close(_:within:file:line:)`` does, even if the operation throws or
    /// its task is canceled. Closers hear how the operation ended: it returned, it threw an error, or it
    /// threw after its task was canceled. For work that takes longer, such as a streamed response, open the
    /// scope with ``openScope(_:seeding:file:line:)`` instead, and close it yourself.
    ///
    /// The operation runs on the caller's actor. Where the container is overridden, for example in a test, the scope
    /// is opened on the override.
    ///
    /// - Returns: What the operation returns.
    /// - Throws: A ``ResolutionError`` if the container has been closed; what the operation throws, or else a
    ///   ``CloseError`` with the errors of closers. If both fail, the container's observers hear of the
    ///   ``CloseError``; without observers, standard error shows a line for each service.
    @discardableResult
    @_alwaysEmitIntoClient
    public func withScope<Result>(
        _ scope: ObjectScope,
        seeding: (Container) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        operation: (Container) async throws -> Result
    ) async throws -> Result {
        let place = CodePlace(file: file, line: line)
        let opened = try enter(scope, seeding: seeding, at: place)
        return try await opened.closing(isolation: isolation, at: place) {
            try await withSpace {
                $0.dependenciesContainer = opened
            } operation: {
                try await operation(opened)
            }
        }
    }

    /// Opens a scope for an operation, in whose space it is in force.
    @usableFromInline
    func enter(
        _ scope: ObjectScope,
        seeding: (Container) -> Void,
        at place: CodePlace
    ) throws -> Container {
        try checkIsOpen(for: "withScope", at: place)
        return open(scope, seeding: seeding, isEntered: true, at: place)
    }

    /// Refuses to begin an operation at whose end the container would close, if it has been closed.
    @usableFromInline
    func checkIsOpen(for asker: String, at place: CodePlace) throws {
        try engine.checkIsOpen(for: asker, at: place)
    }

    /// Runs an operation, and then closes the container with the operation's outcome.
    @_alwaysEmitIntoClient
    func closing<Result>(
        within limit: Duration? = nil,
        isolation: isolated (any Actor)?,
        at place: CodePlace,
        _ operation: () async throws -> Result
    ) async throws -> Result {
        let result: Result
        do {
            result = try await operation()
        } catch {
            await close(after: error, within: limit, at: place)
            throw error
        }
        try await close(.completed, within: limit, at: place)
        return result
    }

    /// Closes the container after an operation that threw an error, which the caller is to get.
    @usableFromInline
    func close(after error: any Error, within limit: Duration?, at place: CodePlace) async {
        let isCanceled = error is CancellationError || Task.isCancelled
        // An ended engine has no observers of its own.
        let observers = engine.closeErrorObservers
        do {
            try await close(isCanceled ? .canceled : .failed(error), within: limit, at: place)
        } catch let error as CloseError {
            error.failures.report(to: observers)
        } catch {
            printToStandardError("Depin: \(error)")
        }
    }
}
