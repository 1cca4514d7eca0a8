extension Assembler {
    /// Makes an assembler and applies assemblies, by Swinject's older labels.
    ///
    /// - Throws: ``AssemblyConflict``, where the other forms stop the program.
    public convenience init(
        assemblies: [any Assembly],
        container: Container? = Container(),
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        self.init(container: container)
        try applyAll(assemblies, at: CodePlace(file: file, line: line))
    }

    /// Makes an assembler whose container is a child of another assembler's, and applies assemblies, by
    /// Swinject's older labels.
    ///
    /// - Throws: ``AssemblyConflict``, where the other forms stop the program.
    public convenience init(
        assemblies: [any Assembly],
        parentAssembler: Assembler?,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        self.init(parentAssembler: parentAssembler)
        try applyAll(assemblies, at: CodePlace(file: file, line: line))
    }
}
