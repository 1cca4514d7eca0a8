/// Applies assemblies to a container, and gives out its resolver.
///
/// ```swift
/// let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
/// let feed = assembler.resolver ~> Feed.self
/// ```
///
/// All `assemble` calls of one `apply` come first, in order, then all `loaded` calls. What an assembly
/// ``Assembly/requires`` comes before it, each type once for a container and its parents.
/// ``appliedAssemblies`` says what was applied and why.
///
/// Assemblies may be applied at any time, from any thread. Of two threads that apply to the same container,
/// or to a parent of it, one waits while the other's assemblies register.
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

    /// Makes an assembler and applies the assemblies of a closure.
    ///
    /// ```swift
    /// let assembler = Assembler {
    ///     NetworkAssembly()
    ///     FeedAssembly()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - parent: The assembler of whose container the new one's is a child.
    ///   - defaultObjectScope: The scope of registrations that name none.
    ///   - behaviors: Hear of every registration.
    ///   - assemblies: Lists the assemblies, as for ``apply(assemblies:)-(()->[Assembly])``.
    public convenience init(
        parent: Assembler? = nil,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = [],
        @AssemblyResultBuilder assemblies: () -> [any Assembly]
    ) {
        self.init(
            assemblies(),
            parent: parent,
            defaultObjectScope: defaultObjectScope,
            behaviors: behaviors
        )
    }

    /// Applies one assembly, and what it requires.
    ///
    /// ```swift
    /// assembler.apply(FeedAssembly())
    /// ```
    public func apply(_ assembly: any Assembly) {
        apply(assemblies: [assembly])
    }

    /// Applies one assembly, and what it requires.
    public func apply(assembly: any Assembly) {
        apply(assemblies: [assembly])
    }

    /// Applies assemblies in order, each after what it requires, then tells each that all are loaded.
    ///
    /// An assembly that is given twice is applied twice. One that came because another requires it is not
    /// applied again. The program stops where two values of one type that differ are to be applied, and one of
    /// them because it is required.
    public func apply(assemblies: [any Assembly]) {
        do {
            try applyAll(assemblies)
        } catch {
            fatalError("Depin: \(error)")
        }
    }

    /// Applies assemblies.
    ///
    /// - Throws: ``AssemblyConflict``
    func applyAll(_ assemblies: [any Assembly]) throws(AssemblyConflict) {
        let core = container.core.inForce
        let outcome = Path.withCurrent { path in
            Site.shared.inTurn(.assembling(core.root.number), by: path) {
                Result { () throws(AssemblyConflict) in
                    let order = try core.plan(assemblies)
                    path.registering(on: container.core) {
                        for assembly in order { assembly.assemble(container: container) }
                    }
                    return order
                }
            }
        }
        for assembly in try outcome.get() {
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

    /// What has been applied to this assembler's container, and why.
    ///
    /// ```swift
    /// print(assembler.appliedAssemblies)
    /// // AppAssembly
    /// //   FeedAssembly
    /// //     FakeNetworkAssembly in place of NetworkAssembly
    /// ```
    public var appliedAssemblies: AppliedAssemblies { container.core.inForce.appliedAssemblies }
}
