import Depin

/// The assemblies that a program declares and has not applied, one of which may register a missing service.
enum UnappliedAssemblies {
    /// The names of those that some modules declare.
    ///
    /// Generic assemblies are not found.
    static func names(in modules: Set<String>, applied: [Any.Type]) -> [String] {
        guard !modules.isEmpty else { return [] }
        let applied = Set(applied.map { ObjectIdentifier($0) })
        let names = FieldDescriptor.ofThisProgram.compactMap { descriptor -> String? in
            guard let owner = descriptor.owner, modules.contains(owner.module),
                let type = descriptor.type, type is any Assembly.Type
            else { return nil }
            return applied.contains(ObjectIdentifier(type)) ? nil : owner.path
        }
        return Set(names).sorted()
    }
}
