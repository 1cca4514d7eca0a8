// The forms of Swinject's assembler that this one adds nothing to.

extension Assembler {
    /// Makes an assembler whose container is a child of another assembler's.
    @_alwaysEmitIntoClient
    public convenience init(
        parentAssembler: Assembler?,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = []
    ) {
        self.init(
            container: Container(
                parent: parentAssembler?.container,
                defaultObjectScope: defaultObjectScope,
                behaviors: behaviors
            )
        )
    }

    /// Makes an assembler whose container is a child of another assembler's, and applies assemblies.
    @_alwaysEmitIntoClient
    public convenience init(
        _ assemblies: [any Assembly],
        parent: Assembler?,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = [],
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            parentAssembler: parent,
            defaultObjectScope: defaultObjectScope,
            behaviors: behaviors
        )
        apply(assemblies: assemblies, file: file, line: line)
    }

    /// Applies one assembly, and what it requires.
    @_alwaysEmitIntoClient
    public func apply(assembly: any Assembly, file: StaticString = #fileID, line: UInt = #line) {
        apply(assemblies: [assembly], file: file, line: line)
    }

    /// Makes an assembler and applies assemblies, by Swinject's older labels.
    ///
    /// - Throws: ``AssemblyConflict``, where the other forms stop the program.
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
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
