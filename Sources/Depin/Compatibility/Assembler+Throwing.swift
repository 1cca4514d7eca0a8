extension Assembler {
    /// Makes an assembler and applies assemblies, by Swinject's older labels.
    ///
    /// It throws nothing, and says `throws` because its callers say `try`.
    public convenience init(
        assemblies: [any Assembly],
        container: Container? = Container()
    ) throws {
        self.init(container: container)
        apply(assemblies: assemblies)
    }

    /// Makes an assembler whose container is a child of another assembler's, and applies assemblies, by
    /// Swinject's older labels.
    ///
    /// It throws nothing, and says `throws` because its callers say `try`.
    public convenience init(assemblies: [any Assembly], parentAssembler: Assembler?) throws {
        self.init(assemblies, parent: parentAssembler)
    }
}
