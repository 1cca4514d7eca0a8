import Depin

extension Container {
    /// Finds what would go wrong before anything is resolved.
    ///
    /// ```swift
    /// @Test @MainActor func `everything that is needed is registered`() throws {
    ///     let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
    ///     try assembler.validate()
    /// }
    /// ```
    ///
    /// Give it the `@Injected` properties of the program, and it checks them, too:
    ///
    /// ```swift
    /// try assembler.validate(.init(injected: InjectedProperty.ofThisProgram()))
    /// ```
    ///
    /// The name or assembler of a property is unknown. If its type is registered only under names, or only in
    /// another assembler of the space, the report says so.
    ///
    /// A validation works on a fork and builds nothing in the container itself. Meanwhile the space holds
    /// this fork and forks of its other containers. First the needs of `autoregister` are checked from
    /// their types, without running anything. Then every registration that takes no runtime argument is
    /// built. Each factory runs once, whatever its scope; that of an unshared service once for each container
    /// of the hierarchy that requests it, and one in a circle through callbacks twice. Factories really open
    /// files and connections, so leave that to the first use, or replace them in `standIns`.
    ///
    /// Factories run on a thread of the validation's own, with the caller's task-local values. If a service
    /// is missing, a factory that uses `try resolver.require` throws. A factory that uses `~>`,
    /// `autoResolve` or `@Injected` can neither return nor throw, so the validation abandons its thread,
    /// with whatever it holds, and continues on a new one. Both problems are in the one error at the end. If
    /// a `resolve` finds nothing, that is printed to standard error at once, because the factory may
    /// force-unwrap. So are the problems found when a thread is abandoned, because the rest may wait for
    /// what that thread holds.
    ///
    /// Main-actor factories run if the caller is on the main actor; otherwise they are listed as unchecked.
    /// If the caller is on the process's main thread, as always on Apple platforms, they run there, with the
    /// decorators and callbacks of their services, and that thread cannot be abandoned: if one uses `~>` for
    /// a service that is missing, or named in the option `providing`, the program stops with the whole report
    /// after everything else has been validated. Use `try resolver.require` there, `autoregister`, or a
    /// stand-in.
    ///
    /// Requests on other threads, or in tasks that factories start, are not followed. If one finds nothing,
    /// during the validation or later, its thread is abandoned and its error is printed. A
    /// child or another container that a factory has captured is used as it is. A factory that validates its
    /// own container gets a report in which nothing is checked.
    ///
    /// Services of opened scopes are built where the option `open` names their scopes, in scopes that are opened for
    /// the validation. Register the seeds of such a scope in `standIns`, or name them in the option `providing`. Other
    /// services of opened scopes, and services that need them, are checked from their types alone.
    ///
    /// ```swift
    /// try container.validate(.init(open: [.session, .request])) {
    ///     $0.register(User.self, instance: .sample)
    /// }
    /// ```
    ///
    /// In a test of Swift Testing that links DepinTesting, the warnings of a validation are warnings of the test. With
    /// the option `strict` they are errors.
    ///
    /// - Parameters:
    ///   - options: What to open, check and report.
    ///   - standIns: Registers stand-ins on the fork, for services that must not be built or are provided
    ///     elsewhere. Each replaces what has its key, also in a parent.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, if one of them is an error.
    @discardableResult
    public func validate(
        _ options: ValidationOptions = ValidationOptions(),
        standIns: (Container) throws -> Void = { _ in }
    ) throws -> ValidationReport {
        let fork = try fork(opening: options.scopes, with: standIns)
        guard !engine.isBeingValidated else { return try Validation(of: fork, options).skipped() }
        return try withSpace(SpaceValues.current.showing(fork, for: self)) {
            try Validation(of: fork, options).runSync()
        }
    }

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
    ///   - options: What to open, check and report.
    ///   - isolation: The actor of the caller.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, if one of them is an error; `CancellationError` if the
    ///   task is canceled.
    @discardableResult
    public func validateAsync(
        _ options: ValidationOptions = ValidationOptions(),
        isolation: isolated (any Actor)? = #isolation,
        standIns: (Container) throws -> Void = { _ in }
    ) async throws -> ValidationReport {
        try Task.checkCancellation()
        let fork = try fork(opening: options.scopes, with: standIns)
        guard !engine.isBeingValidated else { return try Validation(of: fork, options).skipped() }
        return try await withSpace(SpaceValues.current.showing(fork, for: self)) {
            try await Validation(of: fork, options, runsAsync: true).runAsync(isolation: isolation)
        }
    }

    /// A fork, or the innermost of the scopes opened on it.
    func fork(
        opening scopes: [ObjectScope],
        with standIns: (Container) throws -> Void
    ) throws -> Container {
        let fork = fork()
        let outermost = scopes.first.map { fork.openScope($0) } ?? fork
        // A stand-in replaces a registration, or else is a seed, also for the scopes inside.
        try outermost.engine.replacing { try standIns(outermost) }
        return scopes.dropFirst().reduce(outermost) { $0.openScope($1) }
    }
}

extension Assembler {
    /// Finds what would go wrong before anything is resolved.
    ///
    /// ```swift
    /// try Assembler([NetworkAssembly(), FeedAssembly()]).validate()
    /// ```
    ///
    /// This validates the assembler's container: see ``Depin/Container/validate(_:standIns:)``.
    ///
    /// - Parameters:
    ///   - options: What to open, check and report.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, if one of them is an error.
    @discardableResult
    public func validate(
        _ options: ValidationOptions = ValidationOptions(),
        standIns: (Container) throws -> Void = { _ in }
    ) throws -> ValidationReport {
        try container.validate(options, standIns: standIns)
    }

    /// Finds what would go wrong, and also runs asynchronous factories.
    ///
    /// ```swift
    /// try await Assembler([NetworkAssembly(), FeedAssembly()]).validateAsync()
    /// ```
    ///
    /// This validates the assembler's container: see ``Depin/Container/validateAsync(_:isolation:standIns:)``.
    ///
    /// - Parameters:
    ///   - options: What to open, check and report.
    ///   - isolation: The actor of the caller.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, if one of them is an error; `CancellationError` if the
    ///   task is canceled.
    @discardableResult
    public func validateAsync(
        _ options: ValidationOptions = ValidationOptions(),
        isolation: isolated (any Actor)? = #isolation,
        standIns: (Container) throws -> Void = { _ in }
    ) async throws -> ValidationReport {
        try await container.validateAsync(options, isolation: isolation, standIns: standIns)
    }
}

extension SpaceValues {
    /// These values with a fork, or a scope opened on it, in place of its original, and with forks of all other
    /// containers, so that nothing is built in those, either.
    func showing(_ shown: Container, for original: Container) -> SpaceValues {
        let shownOnes = sequence(first: shown, next: \.parent)
        let forked = shownOnes.drop { $0.engine.originals.isEmpty }
        var forks: [ObjectIdentifier: Container] = [:]
        for (fork, original) in zip(forked, sequence(first: original, next: \.parent)) {
            forks[ObjectIdentifier(original)] = fork
        }
        forks[ObjectIdentifier(original)] = shown
        var isShown = false
        var values = replacingContainers { container in
            isShown = isShown || container === original
            let stand = forks[ObjectIdentifier(container)] ?? container.fork()
            forks[ObjectIdentifier(container)] = stand
            return stand
        }
        if !isShown { values.dependenciesContainer = shown }
        return values
    }
}
