extension Assembler {
    /// Makes an assembler and applies assemblies, by Swinject's older labels.
    ///
    /// - Throws: ``AssemblyConflict``, where the other forms stop the program.
    public convenience init(
        assemblies: [any Assembly],
        container: Container? = Container()
    ) throws {
        self.init(container: container)
        try applyAll(assemblies)
    }

    /// Makes an assembler whose container is a child of another assembler's, and applies assemblies, by
    /// Swinject's older labels.
    ///
    /// - Throws: ``AssemblyConflict``, where the other forms stop the program.
    public convenience init(assemblies: [any Assembly], parentAssembler: Assembler?) throws {
        self.init(parentAssembler: parentAssembler)
        try applyAll(assemblies)
    }
}
