extension Assembler {
    /// Finds what would go wrong, before anyone resolves anything.
    ///
    /// ```swift
    /// try Assembler([NetworkAssembly(), FeedAssembly()]).validate()
    /// ```
    ///
    /// See ``Container/validate(open:providing:roots:severities:ignoring:standIns:)``.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - roots: Types that the app asks for itself.
    ///   - severities: How bad the kinds of problems are, where that differs from the default.
    ///   - ignored: Kinds of problems that are not reported.
    ///   - standIns: Registers on the fork that is validated.
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
        try container.validate(
            open: scopes,
            providing: provided,
            roots: roots,
            severities: severities,
            ignoring: ignored,
            standIns: standIns
        )
    }

    /// Tells an observer of every request to this assembler's container from now on.
    ///
    /// See ``Container/addObserver(_:)``.
    ///
    /// - Returns: Ends the observation. It may be ignored.
    @discardableResult
    public func addObserver(_ observer: any ResolutionObserver) -> ResolutionObservation {
        container.addObserver(observer)
    }
}
