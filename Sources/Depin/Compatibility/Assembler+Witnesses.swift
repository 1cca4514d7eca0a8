// Witnesses for an app's own protocols, in Swinject's very signatures, and the method that
// `assemblies.forEach(assembler.apply(assembly:))` refers to: see `Container+Witnesses.swift`.

@_documentation(visibility: internal)
extension Assembler {
    /// Applies one assembly, for a protocol that requires this signature.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func apply(assembly: any Assembly) {
        apply(assembly: assembly, file: #fileID)
    }

    /// Applies assemblies, for a protocol that requires this signature.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func apply(assemblies: [any Assembly]) {
        apply(assemblies: assemblies, file: #fileID)
    }
}
