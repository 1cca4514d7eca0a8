/// The key of ``SpaceValues/dependenciesContainer``, by the name that older code knows.
public enum DependenciesContainerKey: SpaceKey {
    /// The container of the process, until another one is set.
    public static var defaultValue: Container { DependenciesAssemblerKey.defaultValue.container }
}

extension SpaceValues {
    /// The container of the assembler in force: ``dependenciesContainer``.
    ///
    /// It is no value of its own, or there would be two that can disagree.
    public subscript(key: DependenciesContainerKey.Type) -> Container {
        get { dependenciesContainer }
        set { dependenciesContainer = newValue }
    }
}
