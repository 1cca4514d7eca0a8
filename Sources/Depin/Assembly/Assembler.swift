/// Applies assemblies to a container.
///
/// ```swift
/// let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
/// let feed = assembler.resolver ~> Feed.self
/// ```
///
/// Each `apply` calls every `assemble` in order, and then every `loaded`. An assembly comes after those
/// that it ``Assembly/requires``, and each required type is applied once for a container and its parents.
/// With DepinInspection, `appliedAssemblies` says what was applied and why.
///
/// You can apply assemblies at any time, from any thread. If two threads apply to the same container, or to
/// a parent of it, one waits while the other's assemblies register.
public final class Assembler: Sendable {
    @usableFromInline package let container: Container

    /// Resolves the services that the assemblies have registered.
    public var resolver: any Resolver { container }

    /// Makes an assembler for a container, or for a new one.
    public init(container: Container? = Container()) {
        self.container = container ?? Container()
    }

    /// Makes an assembler and applies assemblies.
    @_alwaysEmitIntoClient
    public convenience init(
        _ assemblies: [any Assembly],
        container: Container = Container(),
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(container: container)
        apply(assemblies: assemblies, file: file, line: line)
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
    ///   - parent: The assembler whose container is the parent of the new one's.
    ///   - defaultObjectScope: The scope of registrations that do not set one.
    ///   - behaviors: Called for every registration.
    ///   - assemblies: Lists the assemblies, as for ``apply(assemblies:file:line:)-(()->[Assembly],_,_)``.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    @_alwaysEmitIntoClient
    public convenience init(
        parent: Assembler? = nil,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = [],
        @AssemblyResultBuilder assemblies: () -> [any Assembly],
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            container: Container(
                parent: parent?.container,
                defaultObjectScope: defaultObjectScope,
                behaviors: behaviors
            )
        )
        apply(assemblies: assemblies(), file: file, line: line)
    }

    /// Applies one assembly, and what it requires.
    ///
    /// ```swift
    /// assembler.apply(FeedAssembly())
    /// ```
    @_alwaysEmitIntoClient
    public func apply(_ assembly: any Assembly, file: StaticString = #fileID, line: UInt = #line) {
        apply(assemblies: [assembly], file: file, line: line)
    }

    /// Applies assemblies in order, each after those that it requires, and then calls `loaded` on each.
    ///
    /// An assembly that you pass twice is applied twice. A required assembly is applied once. The program
    /// stops if two values of one type differ and at least one of them is required, and if assemblies replace
    /// each other.
    public func apply(
        assemblies: [any Assembly],
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = CodePlace(file: file, line: line)
        do {
            try applyAll(assemblies, at: place)
        } catch {
            place.stop("Depin: \(error)")
        }
    }

    /// Applies assemblies.
    ///
    /// - Throws: ``AssemblyConflict``
    @usableFromInline
    func applyAll(_ assemblies: [any Assembly], at place: CodePlace) throws {
        let engine = container.engine.inForce
        // What assemblies make is the container's, like what it shares.
        try withSpace(engine.ownSpace ?? .current) {
            try applyAll(assemblies, to: engine, at: place)
        }
    }

    private func applyAll(
        _ assemblies: [any Assembly],
        to engine: Engine,
        at place: CodePlace
    ) throws {
        let order = try Resolution.withCurrent { resolution in
            try engine.turns.assembling.run(in: resolution, of: engine) { _ in
                let order = try engine.plan(assemblies, at: place)
                resolution.registering(on: container.engine) {
                    // An `apply` inside of an assembly may have begun what it requires.
                    for planned in order where !planned.hasBegun {
                        planned.hasBegun = true
                        let first = Serial.next()
                        planned.assembly.assemble(container: container)
                        planned.numbers = first..<Serial.next()
                    }
                    engine.noteRuns(of: order)
                }
                return order
            }
        }
        for planned in order where !planned.isTaken { planned.assembly.loaded(resolver: resolver) }
    }

    /// Applies the assemblies of a closure in order, and then calls `loaded` on each.
    ///
    /// ```swift
    /// assembler.apply {
    ///     NetworkAssembly()
    ///     if isDemo { DemoAssembly() } else { FeedAssembly() }
    /// }
    /// ```
    @_alwaysEmitIntoClient
    public func apply(
        @AssemblyResultBuilder assemblies: () -> [any Assembly],
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        apply(assemblies: assemblies(), file: file, line: line)
    }

    /// Tells an observer of every request to this assembler's container from now on.
    ///
    /// See ``Container/addObserver(_:)``.
    ///
    /// - Returns: The observation, which you can end or ignore.
    @_alwaysEmitIntoClient
    @discardableResult
    public func addObserver(_ observer: any ResolutionObserver) -> ResolutionObservation {
        container.addObserver(observer)
    }
}

extension Assembler: ContainerValue {
    func parent(with engine: Engine) -> Assembler? {
        container.parent(with: engine).map { Assembler(container: $0) }
    }
}
