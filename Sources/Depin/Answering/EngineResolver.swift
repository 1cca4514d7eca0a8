// How each resolver of the library hands a request to an engine, and takes the service from what comes back.
//
// Generic, and compiled once: a service is returned to where the caller wants it, by its type's
// witnesses. So nothing here may mention a type that is made of the service's, an `Optional` for one, but
// in what it returns: the runtime would look its metadata up, 450 instructions each time (row 3, a quarter).

// From the outside inward: `found` is `resolve`, `demanded` is `~>`, `called` is a call of the resolver, and
// `autoResolved` is `autoResolve`: they stop the program. They ask `_find` or `_require`, which throw, and these ask
// `Engine.find` or `Engine.require`, with the fast path. What that does not have goes to `Engine.needed`, which makes
// nil an error, and to `Engine.answer`, a driver (`Drivers.swift`). "Row 3" and the like are rows of the table in
// `Tests/Benchmarks/README.md`.

/// A resolver with an engine behind it.
protocol EngineResolver: Resolver {
    var engine: Engine { get }

    /// Keeps the engine's container open; nil in what a container keeps.
    var owner: Owner? { get }

    /// The instance that asks, where needs are noted.
    var dependent: Dependent? { get }

    /// True where its requests take the turn to run factories.
    var takesTurn: Bool { get }

    /// Makes a request that does not take the fast path.
    func answer(_ request: Engine.Request) throws -> AnyBox?
}

extension EngineResolver {
    var takesTurn: Bool { false }
    var dependent: Dependent? { nil }

    func answer(_ request: Engine.Request) throws -> AnyBox? {
        try Resolution.withCurrent { try engine.answer(request, $0) }
    }

    package func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        found(Service.self, name?.name, ArgumentPack(repeat each arguments))
    }
}

extension Engine: EngineResolver {
    var engine: Engine { self }
    var owner: Owner? { nil }

    package func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        try find(Service.self, name, arguments, nil)
    }

    package func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service {
        try require(Service.self, name, arguments, nil)
    }
}

extension Owner: EngineResolver {
    var owner: Owner? { self }

    package func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        try engine.find(Service.self, name, arguments, self)
    }

    package func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service {
        try engine.require(Service.self, name, arguments, self)
    }
}

/// The resolver of an instance whose needs are noted.
struct DependentResolver: EngineResolver {
    let engine: Engine
    let owner: Owner?
    let dependent: Dependent?

    func answer(_ request: Engine.Request) throws -> AnyBox? {
        try Resolution.withCurrent { resolution in
            try resolution.asking(dependent, in: engine) { try engine.answer(request, resolution) }
        }
    }
}

extension Engine {
    /// What the factory of a step resolves from: it keeps the container open, or not, and notes who asks where that is
    /// of use.
    @inline(__always)
    func resolver(of step: UnsafeMutablePointer<Resolution.Step>) -> any Resolver {
        if hasFlag(.notesNeeds), let dependent = step.pointee.dependent {
            return DependentResolver(engine: self, owner: step.pointee.owner, dependent: dependent)
        }
        if let owner = step.pointee.owner { return owner }
        return self
    }
}

extension Resolution {
    /// Runs a body whose requests are an instance's, if there is one.
    func asking<Result>(
        _ dependent: Dependent?,
        in engine: Engine,
        _ body: () throws -> Result
    ) rethrows -> Result {
        guard let dependent, path.dependent !== dependent else { return try body() }
        // Outside of a resolution nothing is continued.
        return try inside(Step(in: engine, dependent: dependent, after: path), body)
    }
}

// MARK: - The fast path

extension Engine {
    /// The service, or nil where nothing is registered.
    @inline(__always)
    package func find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> Service? {
        let arguments = Arguments.any(arguments)
        let key = ServiceKey(Service.self, name, arguments)
        if isOnFastPath {
            var slot: Slot?
            do throws(Registry.NotReady) {
                return try registry.ready(key, else: &slot) { box in
                    unsafeDowncast(box, to: Box<Service>.self).value
                }
            } catch {}
            if let slot, isBare(slot) { return try make(Service.self, slot, arguments, owner) }
        }
        if let box = try answer(key, arguments, owner) {
            return unsafeDowncast(box, to: Box<Service>.self).value
        }
        tellNothing(for: key, arguments, owner)
        return nil
    }

    /// The service.
    @inline(__always)
    func require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> Service {
        let arguments = Arguments.any(arguments)
        let key = ServiceKey(Service.self, name, arguments)
        if isOnFastPath {
            var slot: Slot?
            do throws(Registry.NotReady) {
                return try registry.ready(key, else: &slot) { box in
                    unsafeDowncast(box, to: Box<Service>.self).value
                }
            } catch {}
            if let slot, isBare(slot) { return try make(Service.self, slot, arguments, owner) }
        }
        let box = try needed(key, arguments, owner)
        return unsafeDowncast(box, to: Box<Service>.self).value
    }

    /// Makes a request that does not take the fast path.
    @inline(never)
    private func answer(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> AnyBox? {
        let request = Request(key: key, arguments: arguments, owner: owner)
        return try Resolution.withCurrent { try answer(request, $0) }
    }

    @inline(never)
    private func needed(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> AnyBox {
        let request = Request(key: key, arguments: arguments, owner: owner, isNeeded: true)
        return try Resolution.withCurrent { try needed(request, $0) }
    }

    /// The instance that the fast path finds.
    func ready(_ key: ServiceKey) -> AnyBox? {
        guard isOnFastPath else { return nil }
        var slot: Slot?
        return try? registry.ready(key, else: &slot) { $0 }
    }

    /// Answers a request that says it is needed, with an error where nothing is registered.
    package func needed(_ request: Request, _ resolution: Resolution) throws -> AnyBox {
        let box =
            request.takesTurn
            ? try answerInTurn(request, resolution) : try answer(request, resolution)
        guard let box else { throw missing(request, resolution.path) }
        return box
    }

    /// True where the instances of a slot take a factory alone, and nobody keeps or hears of them.
    @inline(__always)
    private func isBare(_ slot: Slot) -> Bool {
        let traits = slot.registration.traits
        return slot.isOwn && traits.kind == .transient
            && traits.isDisjoint(with: .needMoreThanFactory) && !hasFlag(.hasDecorators)
    }

    /// An instance that nobody keeps, and of which nobody hears, returned to where it is wanted.
    ///
    /// PERF: without a request and a box (row 3: 1,500 instructions instead of 2,500).
    @inline(__always)
    private func make<Service>(
        _ serviceType: Service.Type,
        _ slot: Slot,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> Service {
        try Resolution.withCurrent { resolution in
            let path = resolution.path
            if path != nil { try path.check(slot, by: self, arguments, nil) }
            let owner = lent(owner, path)
            var step = Resolution.Step(
                Found(slot: slot, holder: self),
                by: self,
                arguments,
                after: path
            )
            step.owner = owner
            do {
                return try resolution.run(&step) { step in
                    do {
                        let registration = unsafeDowncast(
                            slot.registration,
                            to: ServiceRegistration<Service>.self
                        )
                        if let owner { return try registration.makeService(owner, arguments) }
                        return try registration.makeService(self, arguments)
                    } catch {
                        throw Path(step).failure(error)
                    }
                }
            } catch let error as Resolution.Step.Refused {
                let request = Request(slot.registration.key, arguments, owner)
                throw refused(error, .nowhere, request, path)
            }
        }
    }
}

// MARK: - Other resolvers of the library

// Theirs are the rarer requests, which take no fast path.
extension EngineResolver {
    func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        let arguments = Arguments.any(arguments)
        let request = Engine.Request(ServiceKey(Service.self, name, arguments), arguments, owner)
        if let box = try answer(request) { return unsafeDowncast(box, to: Box<Service>.self).value }
        engine.tellNothing(for: request.key, arguments, owner)
        return nil
    }

    func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service {
        let arguments = Arguments.any(arguments)
        let key = ServiceKey(Service.self, name, arguments)
        let request = Engine.Request(key: key, arguments: arguments, owner: owner, isNeeded: true)
        guard let box = try answer(request) else {
            throw Resolution.withCurrent { engine.missing(request, $0.path) }
        }
        return unsafeDowncast(box, to: Box<Service>.self).value
    }
}

// MARK: - Resolvers that users write

// Each form rests on the one that they implement.
extension Resolver {
    /// What ``resolve(_:name:arguments:)`` gives.
    @_documentation(visibility: internal)
    public func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        let borrower = ResolvingBorrower<Service, Self>(resolver: self, name: name)
        return arguments.map { $0.lend(to: borrower) } ?? borrower.take()
    }

    /// What ``resolve(_:name:arguments:)`` gives.
    @_documentation(visibility: internal)
    public func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service {
        if let service = try _find(Service.self, name, arguments) { return service }
        throw ResolutionError(
            .notRegistered(ResolutionError.Hints { [] }),
            ResolutionError.Request(ServiceKey(Service.self, name, arguments)),
            path: Resolution.withCurrent { $0.path.forError }
        )
    }
}

/// Hands the arguments of a request on to a resolver that a user wrote.
private struct ResolvingBorrower<Service, Asked: Resolver>: ArgumentBorrower {
    let resolver: Asked
    let name: String?

    func take<each Argument>(_ arguments: repeat each Argument) -> Service? {
        resolver.resolve(Service.self, name: name, arguments: repeat each arguments)
    }
}

// MARK: - Forms with the place of the call

extension Resolver {
    /// What `require` gives.
    @usableFromInline
    func required<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString,
        _ line: UInt
    ) throws -> Service {
        do {
            return try _require(Service.self, name, arguments)
        } catch {
            throw located(error, CodePlace(file: file, line: line), by: .require)
        }
    }

    /// An error with the place of the call.
    @inline(never)
    func located(
        _ error: any Error,
        _ place: CodePlace,
        by asker: ResolutionError.Request.Asker
    ) -> any Error {
        guard let error = error as? ResolutionError else { return error }
        let depth = Resolution.withCurrent { $0.path.depth }
        return error.required(at: place, by: asker, depth: depth)
    }
}

// MARK: - Forms that stop the program

extension Resolver {
    /// What `resolve` gives.
    @usableFromInline
    @inline(__always)
    func found<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) -> Service? {
        do {
            return try _find(Service.self, name, arguments)
        } catch {
            stop(for: error)
        }
    }

    /// What `~>` gives.
    @usableFromInline
    @inline(__always)
    func demanded<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) -> Service {
        do {
            return try _require(Service.self, name, arguments)
        } catch {
            stop(for: error)
        }
    }

    /// What a call of the resolver gives.
    @usableFromInline
    func called<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString,
        _ line: UInt
    ) -> Service {
        do {
            return try _require(Service.self, name, arguments)
        } catch {
            stop(for: located(error, CodePlace(file: file, line: line), by: .call))
        }
    }

    /// What `autoResolve` gives.
    func autoResolved<Service>(_ name: String?, _ file: StaticString, _ line: UInt) -> Service {
        do {
            return try _require(Service.self, name, nil)
        } catch {
            stop(for: located(error, CodePlace(file: file, line: line), by: .autoResolve))
        }
    }

    @inline(never)
    private func stop(for error: any Error) -> Never {
        Resolution.withCurrent { trap(error, $0, asking: (self as? any EngineResolver)?.engine) }
    }
}
