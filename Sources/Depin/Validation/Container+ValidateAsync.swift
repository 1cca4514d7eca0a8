extension Container {
    /// Finds what would go wrong, and also runs asynchronous factories.
    ///
    /// ```swift
    /// try await container.validateAsync()
    /// ```
    ///
    /// `validate()` checks the declared needs of asynchronous registrations from their types, and runs none.
    /// This runs them too, one after the other and before all others, so that it can also check the services
    /// that need them. Each runs in a task on a thread of its own. If it uses `~>` for a missing service, the
    /// validation abandons both and continues, as `validate()` does. Code isolated to an actor keeps that actor
    /// busy for good, and code on the main actor stops the program: use `try resolver.require` there. Main-actor
    /// factories run if you call this on the main actor.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - roots: Types that the app resolves itself.
    ///   - severities: The severities of kinds of problems, if they differ from the default.
    ///   - ignored: Kinds of problems not to report.
    ///   - isolation: The actor of the caller.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, if one of them is an error; `CancellationError` if the
    ///   task is canceled.
    @discardableResult
    public func validateAsync(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        roots: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        isolation: isolated (any Actor)? = #isolation,
        standIns: (Container) throws -> Void = { _ in }
    ) async throws -> ValidationReport {
        try await validateAsync(
            ValidationOptions(
                open: scopes,
                providing: provided,
                roots: roots,
                severities: severities,
                ignoring: ignored
            ),
            isolation: isolation,
            standIns: standIns
        )
    }

    /// The same, with options that may name the `@Injected` properties of the program.
    package func validateAsync(
        _ options: ValidationOptions,
        isolation: isolated (any Actor)?,
        standIns: (Container) throws -> Void
    ) async throws -> ValidationReport {
        try Task.checkCancellation()
        let fork = try fork(opening: options.scopes, with: standIns)
        guard !engine.isBeingValidated else { return try Validation(of: fork, options).skipped() }
        let validation = await withSpace(SpaceValues.current.showing(fork, for: self)) {
            let validation = Validation(of: fork, options, runsAsync: true)
            await validation.runAsync(isolation: isolation)
            return validation
        }
        // What was not made any more is no problem, and would look like one.
        try Task.checkCancellation()
        return try validation.result()
    }
}
