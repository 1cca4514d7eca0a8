extension Container {
    /// Opens a scope for the time of an operation, and closes it at the end.
    ///
    /// ```swift
    /// try await container.withScope(.request, seeding: { $0.register(User.self, instance: user) }) {
    ///     scope in
    ///     try await respond(to: request, with: scope ~> Handler.self)
    /// }
    /// ```
    ///
    /// Inside, and in child tasks, the space's ``SpaceValues/dependenciesContainer`` is the open scope, so that
    /// `@Injected` properties of objects made there ask it for as long as they live. A property of an object
    /// made outside asks what it would ask anywhere; where only the scope has the service, the message says so.
    ///
    /// At the end the scope is closed, as ``close(file:line:)`` does, also where the operation throws or its
    /// task is canceled. What goes on for longer, a response that is streamed for one, holds the container of
    /// ``openScope(_:seeding:file:line:)`` instead, and closes it.
    ///
    /// The operation runs on the caller's actor.
    ///
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws, or else a ``CloseError`` with what closers have thrown.
    @discardableResult
    public func withScope<Result>(
        _ scope: ObjectScope,
        seeding: (Container) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        operation: (Container) async throws -> Result
    ) async throws -> Result {
        let opened = openScope(scope, seeding: seeding, file: file, line: line)
        let result: Result
        do {
            result = try await withSpace {
                $0.dependenciesContainer = opened
            } operation: {
                try await operation(opened)
            }
        } catch {
            // Who asked for the operation is to hear of its error.
            try? await opened.close(file: file, line: line)
            throw error
        }
        try await opened.close(file: file, line: line)
        return result
    }
}
