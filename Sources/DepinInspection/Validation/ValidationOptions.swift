import Depin

/// What a validation opens, checks and reports.
///
/// ```swift
/// try container.validate(.init(open: [.session], roots: [MainScreen.self]))
/// ```
public struct ValidationOptions: Sendable {
    let scopes: [ObjectScope]
    let provided: [Any.Type]
    let injected: [InjectedProperty]
    let roots: [Any.Type]
    let severities: [ValidationReport.Kind: ValidationReport.Severity]
    let ignored: Set<ValidationReport.Kind>
    let isStrict: Bool

    /// The options of a validation; each has a default.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to open, each inside the one before.
    ///   - provided: Types that are registered elsewhere. They count as registered for every form of
    ///     request without a name. A registration that declares a need for one is checked from its types and
    ///     not built. Another factory that requests one is not checked beyond that.
    ///   - injected: The `@Injected` properties to check, as ``InjectedProperty/ofThisProgram(modules:)``
    ///     finds them. The type of each, or the service in its `Lazy` or `Provider`, must be registered; an
    ///     optional may be missing.
    ///   - roots: Types that the app resolves itself. They must be registered, and
    ///     ``ValidationReport/unreached`` lists what neither they nor `@Injected` properties need.
    ///   - severities: The severities of kinds of problems, if they differ from
    ///     ``ValidationReport/Kind/defaultSeverity``.
    ///   - ignored: Kinds of problems not to report.
    ///   - isStrict: Whether warnings are errors, except for kinds that `severities` names.
    public init(
        open scopes: [ObjectScope] = [],
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty] = [],
        roots: [Any.Type] = [],
        severities: [ValidationReport.Kind: ValidationReport.Severity] = [:],
        ignoring ignored: Set<ValidationReport.Kind> = [],
        strict isStrict: Bool = false
    ) {
        self.scopes = scopes
        self.provided = provided
        self.injected = injected
        self.roots = roots
        self.severities = severities
        self.ignored = ignored
        self.isStrict = isStrict
    }

    func severity(of problem: ValidationReport.Problem) -> ValidationReport.Severity {
        if let severity = severities[problem.kind] { return severity }
        return isStrict && problem.severity == .warning ? .error : problem.severity
    }
}
