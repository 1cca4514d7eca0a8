/// Applies assemblies to a container, and gives out its resolver.
///
/// ```swift
/// let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
/// let feed = assembler.resolver ~> Feed.self
/// ```
///
/// All `assemble` calls of one `apply` come first, in order, then all `loaded` calls. Assemblies may be
/// applied at any time, from any thread.
public final class Assembler: Sendable {
    package let container: Container

    /// What the assemblies registered can be had from here.
    public var resolver: any Resolver { container }

    /// Makes an assembler for a container, or for a new one.
    public init(container: Container? = Container()) {
        self.container = container ?? Container()
    }

    /// Makes an assembler and applies assemblies.
    public convenience init(_ assemblies: [any Assembly], container: Container = Container()) {
        self.init(container: container)
        apply(assemblies: assemblies)
    }

    /// Makes an assembler whose container is a child of another assembler's.
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
    public convenience init(
        _ assemblies: [any Assembly],
        parent: Assembler?,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = []
    ) {
        self.init(
            parentAssembler: parent,
            defaultObjectScope: defaultObjectScope,
            behaviors: behaviors
        )
        apply(assemblies: assemblies)
    }

    /// Applies one assembly.
    public func apply(assembly: any Assembly) {
        apply(assemblies: [assembly])
    }

    /// Applies assemblies in order, then tells each that all are loaded.
    public func apply(assemblies: [any Assembly]) {
        Path.withCurrent { path in
            path.registering(on: container.core) {
                for assembly in assemblies {
                    assembly.assemble(container: container)
                }
            }
        }
        for assembly in assemblies {
            assembly.loaded(resolver: resolver)
        }
    }

    /// Applies the assemblies of a closure in order, then tells each that all are loaded.
    ///
    /// ```swift
    /// assembler.apply {
    ///     NetworkAssembly()
    ///     if isDemo { DemoAssembly() } else { FeedAssembly() }
    /// }
    /// ```
    public func apply(@AssemblyResultBuilder assemblies: () -> [any Assembly]) {
        apply(assemblies: assemblies())
    }
}
