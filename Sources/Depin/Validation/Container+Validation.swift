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
    /// It works on a fork, which the space shows to `@Injected` meanwhile, with forks of the space's other
    /// containers, so nothing is built in any of them. Two things happen there. First the needs of
    /// `autoregister` are checked from their types; nothing runs for that. Then every registration that
    /// takes no runtime argument is built, each factory once, whatever its scope: only a circle through
    /// callbacks makes one run twice. Factories that open files or connections do so, so have them do it
    /// later, or replace them in `standIns`.
    ///
    /// A factory that finds something missing by `try resolver.require` goes into the report, and the
    /// validation goes on. One that asks by `~>` or `autoResolve` cannot go on, so there the program
    /// stops, with every problem found so far in the message. A `resolve` that finds nothing is a
    /// matter for its factory, which may force-unwrap: its account goes to standard error at once.
    ///
    /// Main-actor factories run when this is called on the main thread. Requests on other threads or in
    /// tasks that factories start are not followed, and `@Injected` properties are not looked for. A
    /// child or another container that a factory has captured is used as it is. Of what a parent has
    /// registered without sharing it, the factory runs with the resolver of the one that is asked
    /// first; declared needs are checked for all.
    ///
    /// - Parameters:
    ///   - provided: Types that are registered elsewhere. What declares a need for one is checked from
    ///     its types, and not built.
    ///   - severities: How bad the kinds of problems are, where that differs from
    ///     ``ValidationReport/Kind/defaultSeverity``.
    ///   - ignored: Kinds of problems that are not reported.
    ///   - standIns: Registers on the fork: what is provided elsewhere and asked for by `~>`, or what is
    ///     not to be built.
    /// - Returns: What was found, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, when one of them is an error.
    @discardableResult
    public func validate(
        providing provided: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        standIns: (Container) throws -> Void = { _ in }
    ) throws -> ValidationReport {
        let fork = fork()
        let isMeant = fork.core.registry.overwrites
        try standIns(fork)
        // What they replace is meant to be.
        fork.core.registry.overwrites = isMeant
        let validation = Validation(of: fork, providing: provided, ignoring: ignored)
        withSpace(SpaceValues.current.showing(fork, for: self)) {
            validation.run()
        }
        let report = validation.report(severities: severities)
        if !report.errors.isEmpty {
            throw ValidationError(report: report)
        }
        return report
    }
}

extension SpaceValues {
    /// These values with a fork in the place of its original, and with forks of all other containers,
    /// so that nothing is built in those either.
    fileprivate func showing(_ fork: Container, for original: Container) -> SpaceValues {
        var values = self
        var forks: [ObjectIdentifier: Container] = [:]
        var pair: (fork: Container, original: Container)? = (fork, original)
        while let (fork, original) = pair {
            forks[ObjectIdentifier(original)] = fork
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
            values.dependenciesContainer = fork
        }
        return values
    }
}
