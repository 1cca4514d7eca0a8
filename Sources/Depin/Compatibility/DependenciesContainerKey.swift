/// The key of ``SpaceValues/dependenciesContainer``, for older code.
public enum DependenciesContainerKey: SpaceKey {
    /// The container of the process, until another one is set.
    public static var defaultValue: Container { DependenciesAssemblerKey.defaultValue.container }
}

extension SpaceValues {
    /// The container of the assembler in force: ``dependenciesContainer``.
    ///
    /// It is a view of the assembler and not a second value, so the two never disagree.
    public subscript(key: DependenciesContainerKey.Type) -> Container {
        get { dependenciesContainer }
        set { dependenciesContainer = newValue }
    }
}
