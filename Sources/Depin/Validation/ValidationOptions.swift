/// What a validation is asked for, besides the container and the stand-ins.
package struct ValidationOptions: Sendable {
    let scopes: [ObjectScope]
    let provided: [Any.Type]
    let injected: [InjectedNeed]
    let roots: [Any.Type]
    let severities: [ValidationReport.Kind: ValidationReport.Severity]
    let ignored: Set<ValidationReport.Kind>

    package init(
        open scopes: [ObjectScope],
        providing provided: [Any.Type],
        needs injected: [InjectedNeed] = [],
        roots: [Any.Type],
        severities: [ValidationReport.Kind: ValidationReport.Severity],
        ignoring ignored: Set<ValidationReport.Kind>
    ) {
        self.scopes = scopes
        self.provided = provided
        self.injected = injected
        self.roots = roots
        self.severities = severities
        self.ignored = ignored
    }
}
