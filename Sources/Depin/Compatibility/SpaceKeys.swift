/// The key of ``SpaceValues/dependenciesAssembler``, by the name that older code knows.
public enum DependenciesAssemblerKey: SpaceKey {
    /// The assembler of the process.
    public static var defaultValue: Assembler { SpaceValues.current.dependenciesAssembler }
}

/// The key of ``SpaceValues/dependenciesContainer``, by the name that older code knows.
public enum DependenciesContainerKey: SpaceKey {
    /// The container of the process.
    public static var defaultValue: Container { SpaceValues.current.dependenciesContainer }
}

// They are no values of their own, or there would be two that can disagree.
extension SpaceValues {
    /// The assembler that `@Injected` asks: ``dependenciesAssembler``.
    public subscript(key: DependenciesAssemblerKey.Type) -> Assembler {
        get { dependenciesAssembler }
        set { dependenciesAssembler = newValue }
    }

    /// The container of that assembler: ``dependenciesContainer``.
    public subscript(key: DependenciesContainerKey.Type) -> Container {
        get { dependenciesContainer }
        set { dependenciesContainer = newValue }
    }
}
