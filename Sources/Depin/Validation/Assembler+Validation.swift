extension Assembler {
    /// Finds what would go wrong before anything is resolved.
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
    ///   - roots: Types that the app resolves itself.
    ///   - severities: The severities of kinds of problems, if they differ from the default.
    ///   - ignored: Kinds of problems not to report.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: ``ValidationError``, with all problems, if one of them is an error.
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

    /// Finds what would go wrong, and also runs asynchronous factories.
    ///
    /// ```swift
    /// try await Assembler([NetworkAssembly(), FeedAssembly()]).validateAsync()
    /// ```
    ///
    /// This validates the assembler's container.
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
        try await container.validateAsync(
            open: scopes,
            providing: provided,
            roots: roots,
            severities: severities,
            ignoring: ignored,
            isolation: isolation,
            standIns: standIns
        )
    }
}
