/// The key of ``SpaceValues/dependenciesAssembler`` and ``SpaceValues/dependenciesContainer``, two views of
/// one value.
public enum DependenciesAssemblerKey: SpaceKey {
    /// The assembler of the process, until another one is set: with an empty container.
    public static let defaultValue: Assembler = {
        SpaceValues.knowContainers
        return Assembler()
    }()
}

extension SpaceValues {
    /// The assembler from which `@Injected` resolves.
    ///
    /// Apply your assemblies to it once, at launch:
    ///
    /// ```swift
    /// @Space(\.dependenciesAssembler) private static var assembler: Assembler
    /// assembler.apply { NetworkAssembly(); FeedAssembly() }
    /// ```
    ///
    /// Until you set it, it is an assembler with an empty container.
    public var dependenciesAssembler: Assembler {
        get { self[DependenciesAssemblerKey.self] }
        set {
            SpaceValues.knowContainers
            self[DependenciesAssemblerKey.self] = newValue
        }
    }

    /// The container of ``dependenciesAssembler``.
    ///
    /// Setting it puts an assembler around it.
    public var dependenciesContainer: Container {
        get { dependenciesAssembler.container }
        set { dependenciesAssembler = Assembler(container: newValue) }
    }

    /// Tells messages the containers of the space.
    fileprivate static let knowContainers: Void = {
        nameContainers
        atProcessEnd { SpaceValues.sharedContainer.engine.processWillEnd() }
    }()

    /// Lets the message about a missing service name containers of the space that have it.
    private static let nameContainers: Void = {
        let neighbors = Neighbors {
            current.dependenciesContainer.owner
        } list: { ofDefaults in
            let values =
                ofDefaults
                ? SharedSpace.defaults(of: containerTypes)
                : current.contents(withDefaultsOf: [])
            return values.compactMap { key, value in
                let name =
                    key == DependenciesAssemblerKey.self
                    ? "dependenciesAssembler" : readableName(of: key)
                return container(of: value).map { (name: name, engine: $0.engine) }
            }
        }
        Neighbors.known.withLock { $0 = neighbors }
    }()

    /// The container of the process, whatever overrides are in force.
    package static var sharedContainer: Container {
        SpaceValues(overlay: nil).dependenciesContainer
    }

    /// These values with others in place of the containers in them, and of the defaults that are containers.
    package func replacingContainers(_ replacement: (Container) -> Container) -> SpaceValues {
        Self.nameContainers
        var values = self
        for (key, value) in contents(withDefaultsOf: Self.containerTypes) {
            guard let container = Self.container(of: value).map(replacement) else { continue }
            values.set(value is Assembler ? Assembler(container: container) : container, key)
        }
        return values
    }

    private static var containerTypes: [Any.Type] { [Assembler.self, Container.self] }

    /// A value that is a container, or the container of an assembler.
    static func container(of value: Any) -> Container? {
        (value as? Assembler)?.container ?? value as? Container
    }
}
