import Depin

extension Survey {
    /// The assemblies that the modules of the properties declare and nobody has applied, one of which may register a
    /// missing service.
    ///
    /// Generic assemblies are not found.
    var unappliedAssemblies: [String] {
        let modules = Set(injections.compactMap(\.need.module))
        guard !modules.isEmpty else { return [] }
        let applied = Set(chain.flatMap { $0.applications.types }.map { ObjectIdentifier($0) })
        let names = FieldDescriptor.ofThisProgram.compactMap { descriptor -> String? in
            guard let owner = descriptor.owner, modules.contains(owner.module),
                let type = descriptor.type, type is any Assembly.Type
            else { return nil }
            return applied.contains(ObjectIdentifier(type)) ? nil : owner.path
        }
        return Set(names).sorted()
    }
}
