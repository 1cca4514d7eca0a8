extension Assembler {
    /// Makes the eager services, runs an operation, and closes the assembler's container.
    ///
    /// ```swift
    /// try await assembler.run { resolver in
    ///     try await (resolver ~> Server.self).serve()
    /// }
    /// ```
    ///
    /// The container closes in every case, even if warming up fails or the task is canceled. Closers hear how
    /// the work ended: see ``ScopeOutcome``. After a cancellation nothing more is made, and this method
    /// throws.
    ///
    /// Inside, and in child tasks, the assembler is the space's ``SpaceValues/dependenciesAssembler``. The operation
    /// runs on the caller's actor. To end a program at a signal, cancel the task, or use a package such as
    /// swift-service-lifecycle: see <doc:ServersAndRequests>.
    ///
    /// Where the assembler's container is overridden, for example in a test, the program runs with the override's
    /// services, and what closes is the override.
    ///
    /// - Parameters:
    ///   - width: How many services to make at a time; see ``Container/warmUp(width:)``.
    ///   - limit: How long closing may take; see ``Container/close(_:within:file:line:)``.
    ///   - isolation: The actor of the caller.
    ///   - file: The file that messages about later requests show.
    ///   - line: The line that they show.
    ///   - operation: What the program does, with the resolver of the assembler.
    /// - Returns: What the operation returns.
    /// - Throws: A ``ResolutionError`` if the container has been closed; the first failure of warming up, or what the
    ///   operation throws, or else a ``CloseError`` with the errors of closers. If both fail, the ``CloseError`` goes
    ///   to observers, or to standard error.
    @discardableResult
    @_alwaysEmitIntoClient
    public func run<Result>(
        width: Int = 4,
        closingWithin limit: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        operation: (any Resolver) async throws -> Result
    ) async throws -> Result {
        let place = CodePlace(file: file, line: line)
        let running = container.overridden
        try running.checkIsOpen(for: "run", at: place)
        return try await running.closing(within: limit, isolation: isolation, at: place) {
            let assembler = running === container ? self : Assembler(container: running)
            return try await withSpace(\.dependenciesAssembler, assembler) {
                try await running.warmUp(width: width)
                return try await operation(running)
            }
        }
    }

    /// Makes every service of the container, and of its parents, that is marked eager.
    ///
    /// See ``Container/warmUp(width:)``.
    @discardableResult
    @_alwaysEmitIntoClient
    public func warmUp(width: Int = 4) async throws -> WarmUpReport {
        try await container.warmUp(width: width)
    }

    /// Opens a scope in the container for an operation, and closes it at the end.
    ///
    /// See ``Container/withScope(_:seeding:isolation:file:line:operation:)``.
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
        try await container.withScope(
            scope,
            seeding: seeding,
            isolation: isolation,
            file: file,
            line: line,
            operation: operation
        )
    }

    /// Opens a scope in the container.
    ///
    /// See ``Container/openScope(_:seeding:file:line:)``.
    @_alwaysEmitIntoClient
    public func openScope(
        _ scope: ObjectScope,
        seeding: (Container) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Container {
        container.openScope(scope, seeding: seeding, file: file, line: line)
    }

    /// Ends the container: closes the instances that it keeps, and refuses every later request.
    ///
    /// See ``Container/close(_:within:file:line:)``.
    @_alwaysEmitIntoClient
    public func close(
        _ outcome: ScopeOutcome = .completed,
        within limit: Duration? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await container.close(outcome, within: limit, file: file, line: line)
    }

    /// Closes the instances that a scope keeps in the container and its parents, and drops them.
    ///
    /// See ``Container/close(_:file:line:)``.
    @_alwaysEmitIntoClient
    public func close(
        _ objectScope: ObjectScope,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await container.close(objectScope, file: file, line: line)
    }
}
