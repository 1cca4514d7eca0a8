import Depin

extension Container {
    /// Finds what would go wrong, including in `@Injected` properties, and also runs asynchronous factories.
    ///
    /// ```swift
    /// try await container.validateAsync(injected: InjectedProperty.ofThisProgram())
    /// ```
    ///
    /// This does the same as `validateAsync()`, and checks the properties as the synchronous form does.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - injected: The properties.
    ///   - roots: Types that the app resolves itself.
    ///   - severities: The severities of kinds of problems, if they differ from the default.
    ///   - ignored: Kinds of problems not to report.
    ///   - isolation: The actor of the caller.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: `ValidationError`, with all problems, if one of them is an error.
    @discardableResult
    public func validateAsync(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty],
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
                needs: injected.needs,
                roots: roots,
                severities: severities,
                ignoring: ignored
            ),
            isolation: isolation,
            standIns: standIns
        )
    }
}

extension Assembler {
    /// Finds what would go wrong, including in `@Injected` properties, and also runs asynchronous factories.
    ///
    /// This validates the assembler's container.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - injected: The properties.
    ///   - roots: Types that the app resolves itself.
    ///   - severities: The severities of kinds of problems, if they differ from the default.
    ///   - ignored: Kinds of problems not to report.
    ///   - isolation: The actor of the caller.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: `ValidationError`, with all problems, if one of them is an error.
    @discardableResult
    public func validateAsync(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty],
        roots: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        isolation: isolated (any Actor)? = #isolation,
        standIns: (Container) throws -> Void = { _ in }
    ) async throws -> ValidationReport {
        try await container.validateAsync(
            open: scopes,
            providing: provided,
            injected: injected,
            roots: roots,
            severities: severities,
            ignoring: ignored,
            isolation: isolation,
            standIns: standIns
        )
    }
}
