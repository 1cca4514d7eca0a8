import Depin

extension Container {
    /// Finds what would go wrong, including in the `@Injected` properties of the program.
    ///
    /// ```swift
    /// @Test @MainActor func `everything that is needed is registered`() throws {
    ///     let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
    ///     try assembler.validate(injected: InjectedProperty.ofThisProgram())
    /// }
    /// ```
    ///
    /// This does the same as `validate()`. In addition, the type of each property, or the service in its
    /// `Lazy` or `Provider`, must be registered; an optional may be missing. The name or assembler of a
    /// property is unknown. If its type is registered only under names, or only in another assembler of the
    /// space, the report says so.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere.
    ///   - injected: The properties.
    ///   - roots: Types that the app resolves itself.
    ///   - severities: The severities of kinds of problems, if they differ from the default.
    ///   - ignored: Kinds of problems not to report.
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: `ValidationError`, with all problems, if one of them is an error.
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
            ValidationOptions(
                open: scopes,
                providing: provided,
                needs: injected.needs,
                roots: roots,
                severities: severities,
                ignoring: ignored
            ),
            standIns: standIns
        )
    }
}

extension Assembler {
    /// Finds what would go wrong, including in the `@Injected` properties of the program.
    ///
    /// ```swift
    /// try Assembler([FeedAssembly()]).validate(injected: InjectedProperty.ofThisProgram())
    /// ```
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
    ///   - standIns: Registers stand-ins on the fork.
    /// - Returns: The problems, and how each registration was checked.
    /// - Throws: `ValidationError`, with all problems, if one of them is an error.
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
