import Depin

extension Container {
    /// Finds what would go wrong, in the `@Injected` properties of the program too.
    ///
    /// ```swift
    /// @Test @MainActor func `everything that is needed is registered`() throws {
    ///     let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
    ///     try assembler.validate(injected: InjectedProperty.ofThisProgram())
    /// }
    /// ```
    ///
    /// It does what `validate()` does. Besides, something must be registered for the type of each property,
    /// or for what is in its `Lazy` or `Provider`; an optional may be missing. A name or an assembler that
    /// was given to a property cannot be known: where its type is registered under names only, the report
    /// says so.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - injected: The properties.
    ///   - roots: Types that the app asks for itself.
    ///   - severities: How bad the kinds of problems are, where that differs from the default.
    ///   - ignored: Kinds of problems that are not reported.
    ///   - standIns: Registers on the fork that is validated.
    /// - Returns: What was found, and how each registration was checked.
    /// - Throws: `ValidationError`, with all problems, when one of them is an error.
    @discardableResult
    public func validate(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty],
        roots: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        standIns: (Container) throws -> Void = { _ in }
    ) throws -> ValidationReport {
        try validate(
            open: scopes,
            providing: provided,
            needs: injected.needs,
            roots: roots,
            severities: severities,
            ignoring: ignored,
            standIns: standIns
        )
    }
}

extension Assembler {
    /// Finds what would go wrong, in the `@Injected` properties of the program too.
    ///
    /// ```swift
    /// try Assembler([FeedAssembly()]).validate(injected: InjectedProperty.ofThisProgram())
    /// ```
    ///
    /// It is the same as for the assembler's container.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - injected: The properties.
    ///   - roots: Types that the app asks for itself.
    ///   - severities: How bad the kinds of problems are, where that differs from the default.
    ///   - ignored: Kinds of problems that are not reported.
    ///   - standIns: Registers on the fork that is validated.
    /// - Returns: What was found, and how each registration was checked.
    /// - Throws: `ValidationError`, with all problems, when one of them is an error.
    @discardableResult
    public func validate(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty],
        roots: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        standIns: (Container) throws -> Void = { _ in }
    ) throws -> ValidationReport {
        try container.validate(
            open: scopes,
            providing: provided,
            injected: injected,
            roots: roots,
            severities: severities,
            ignoring: ignored,
            standIns: standIns
        )
    }
}

extension [InjectedProperty] {
    /// What a validation is told.
    var needs: [InjectedNeed] {
        map { property in
            InjectedNeed(
                owner: property.owner,
                name: property.name,
                serviceType: property.serviceType,
                note: property.note
            )
        } + (InjectedProperty.areFound ? [] : [.unseen])
    }
}
