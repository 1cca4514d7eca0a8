extension Container {
    /// Finds what would go wrong, before anyone resolves anything.
    ///
    /// ```swift
    /// @Test @MainActor func `everything that is needed is registered`() throws {
    ///     let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
    ///     try assembler.validate()
    /// }
    /// ```
    ///
    /// With DepinTesting it takes the `@Injected` properties of the program too: `validate(injected:)`.
    ///
    /// It works on a fork, which the space shows to `@Injected` meanwhile, with forks of the space's other
    /// containers, so nothing is built in any of them. Two things happen there. First the needs of
    /// `autoregister` are checked from their types; nothing runs for that. Then every registration that
    /// takes no runtime argument is built, each factory once, whatever its scope: only a circle through
    /// callbacks makes one run twice. Factories that open files or connections do so, so have them do it
    /// later, or replace them in `standIns`.
    ///
    /// Factories run on a thread of the validation's own, with the caller's task-local values. One that finds
    /// something missing by `try resolver.require` throws. One that asks by `~>`, `autoResolve` or
    /// `@Injected` can neither return nor throw, so its thread stays in it for good, with whatever it
    /// holds, and the rest goes on with a new thread. Both go into the one error at the end. A `resolve`
    /// that finds nothing is a matter for its factory, which may force-unwrap: its account goes to
    /// standard error at once, as does what was found when a thread is left behind, since the rest may
    /// wait for what that one holds.
    ///
    /// Main-actor factories run on the thread that calls this, if it is the main one. It cannot be left
    /// behind: where one asks by `~>` for what is missing, the program stops when everything else has been
    /// validated, with the whole report. Have those ask by `try resolver.require`, or `autoregister` them.
    ///
    /// Requests on other threads or in tasks that factories start are not followed. Where they find
    /// nothing, while it is validated or later, their thread is left behind and its error goes to standard
    /// error. A child or another container that a factory has captured is used as it is. Of what a
    /// parent has registered without sharing it, the factory runs with the resolver of the one that is
    /// asked first; declared needs are checked for all. A factory that validates its own container gets
    /// a report in which nothing is checked.
    ///
    /// Services of opened scopes are built where `open` names their scopes, in scopes that are opened for the
    /// validation. What seeds such a scope is registered in `standIns`, or named in `providing`. Other services of
    /// opened scopes, and what needs them, are checked from their types alone.
    ///
    /// ```swift
    /// try container.validate(open: [.session, .request]) {
    ///     $0.register(User.self, instance: .sample)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere: they count as there in whatever way they are asked
    ///     for. What declares a need for one is checked from its types, and not built; another factory
    ///     that asks for one is not checked beyond that.
    ///   - roots: Types that the app asks for itself: they must be registered, and
    ///     ``ValidationReport/unreached`` says what neither they nor `@Injected` properties lead to.
    ///   - severities: How bad the kinds of problems are, where that differs from
    ///     ``ValidationReport/Kind/defaultSeverity``.
    ///   - ignored: Kinds of problems that are not reported.
    ///   - standIns: Registers on the fork what is not to be built, or what is to stand for a type that is
    ///     provided elsewhere.
    /// - Returns: What was found, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, when one of them is an error.
    @discardableResult
    public func validate(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        roots: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        standIns: (Container) throws -> Void = { _ in }
    ) throws -> ValidationReport {
        try validate(
            open: scopes,
            providing: provided,
            needs: [],
            roots: roots,
            severities: severities,
            ignoring: ignored,
            standIns: standIns
        )
    }

    /// The same with the `@Injected` properties of the program.
    package func validate(
        open scopes: [ObjectScope],
        providing provided: [Any.Type],
        needs injected: [InjectedNeed],
        roots: [Any.Type],
        severities: [ValidationReport.Kind: ValidationReport.Severity],
        ignoring ignored: Set<ValidationReport.Kind>,
        standIns: (Container) throws -> Void
    ) throws -> ValidationReport {
        let options = Validation.Options(
            provided: provided,
            injected: injected,
            roots: roots,
            severities: severities,
            ignored: ignored
        )
        let validation = Validation(of: try fork(opening: scopes, with: standIns), options)
        guard !core.isBeingValidated else { return try validation.skipped() }
        withSpace(SpaceValues.current.showing(validation.container, for: self)) {
            validation.run()
        }
        return try validation.result()
    }

    /// A fork, or the innermost of scopes that are opened on it.
    func fork(
        opening scopes: [ObjectScope],
        with standIns: (Container) throws -> Void
    ) throws -> Container {
        let fork = fork()
        let isMeant = fork.core.chain.map(\.registry.overwrites)
        let outermost = scopes.first.map { fork.openScope($0) } ?? fork
        // A stand-in takes the place of what is registered, and else is a seed, for the scopes inside too.
        if !scopes.isEmpty { outermost.core.setFlag(.isOverride, true) }
        try standIns(outermost)
        let innermost = scopes.dropFirst().reduce(outermost) { $0.openScope($1) }
        // What they replace is meant to be.
        for (core, isMeant) in zip(fork.core.chain, isMeant) { core.registry.overwrites = isMeant }
        return innermost
    }
}

extension Validation {
    /// The report, where no problem is an error.
    func result() throws -> ValidationReport {
        let report = report
        guard report.errors.isEmpty else { throw ValidationError(report: report) }
        return report
    }

    func skipped() throws -> ValidationReport {
        skip("a validation that is under way checks it")
        return try result()
    }
}

extension Core {
    /// True in a factory that a validation of this container, or of a parent, runs: to validate it there
    /// would run the factory again, without end.
    var isBeingValidated: Bool {
        Path.withCurrent { path in
            (inForce(path)?.core ?? self).chain.contains { $0.hasFlag(.isValidated) }
        }
    }
}

extension SpaceValues {
    /// These values with a fork, or a scope that was opened on it, in the place of its original, and with
    /// forks of all other containers, so that nothing is built in those either.
    func showing(_ shown: Container, for original: Container) -> SpaceValues {
        var values = self
        var fork = shown
        while fork.core.originals.isEmpty, let parent = fork.parent { fork = parent }
        var forks: [ObjectIdentifier: Container] = [:]
        var pair: (fork: Container, original: Container)? = (fork, original)
        while let (next, original) = pair {
            forks[ObjectIdentifier(original)] = next === fork ? shown : next
            let fork = next
            pair = fork.parent.flatMap { fork in original.parent.map { (fork, $0) } }
        }
        var isShown = false
        for (key, value) in contents {
            guard let container = Self.container(of: value) else { continue }
            isShown = isShown || container === original
            let stand = forks[ObjectIdentifier(container)] ?? container.fork()
            forks[ObjectIdentifier(container)] = stand
            values.set(value is Assembler ? Assembler(container: stand) : stand, key)
        }
        if !isShown {
            values.dependenciesContainer = shown
        }
        return values
    }
}
