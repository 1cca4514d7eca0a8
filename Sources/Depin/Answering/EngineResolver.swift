// How each resolver of the library hands a request to an engine, and takes the service out of the box that comes back.
//
// This is generic code that is compiled once: a service is returned to its place through its type's witnesses. So
// nothing here may mention a type made of the service's, such as an `Optional`, except as the result: the runtime would
// look up its metadata, which takes 450 instructions each time (row 3, a quarter).

// "Row 3" and the like are rows of the table in `Tests/Benchmarks/README.md`. The public requests stand in
// `Resolver+Forms.swift`.

/// A resolver with an engine behind it.
protocol EngineResolver: Resolver {
    var engine: Engine { get }

    /// Keeps the engine's container open; nil for a resolver in an instance that the container keeps.
    var owner: Owner? { get }

    /// The instance that makes the requests, if needs are noted.
    var dependent: Dependent? { get }

    /// True if requests take the turn to run factories.
    var takesTurn: Bool { get }

    /// True if each request begins a graph of its own.
    var beginsGraphs: Bool { get }
}

extension EngineResolver {
    var takesTurn: Bool { false }
    var beginsGraphs: Bool { false }
    var dependent: Dependent? { nil }

    package func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        found(name?.name, ArgumentPack(repeat each arguments))
    }
}

extension Engine: EngineResolver {
    var engine: Engine { self }
    var owner: Owner? { nil }

    package func _find<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service? {
        try service(name, arguments, nil)
    }

    package func _require<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service {
        try neededService(name, arguments, nil)
    }
}

extension Owner: EngineResolver {
    var owner: Owner? { self }

    package func _find<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service? {
        try engine.service(name, arguments, self)
    }

    package func _require<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service {
        try engine.neededService(name, arguments, self)
    }
}

/// The resolver of an instance whose needs are noted.
struct DependentResolver: EngineResolver {
    let engine: Engine
    let owner: Owner?
    let dependent: Dependent?
}

extension Engine {
    /// The resolver for the factory of a step: it keeps the container open or not, and notes the needs of the instance
    /// if they are noted at all.
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
    /// Runs a body whose requests are those of a dependent, if there is one.
    // Compiled once, and not for each result, which is also quicker (row 15-closer: a twentieth).
    @_semantics("optimize.sil.specialize.generic.never")
    func asking<Result>(
        _ dependent: Dependent?,
        in engine: Engine,
        _ body: () throws -> Result
    ) rethrows -> Result {
        guard let dependent, path.dependent !== dependent else { return try body() }
        // Outside of a resolution there is no graph to continue.
        return try inside(Step(in: engine, dependent: dependent, after: path), body)
    }
}

// MARK: - The fast path

extension Engine {
    /// The service; nil if nothing is registered.
    package func service<Service>(
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> Service? {
        let arguments = Arguments.any(arguments)
        let key = ServiceKey(Service.self, name, arguments)
        var slot: Slot?
        if isOnFastPath {
            do throws(Registry.NotReady) {
                return try registry.ready(key, else: &slot) { box in
                    unsafeDowncast(box, to: Box<Service>.self).value
                }
            } catch {}
            if let slot, isBare(slot) { return try make(Service.self, slot, arguments, owner) }
        }
        let request = Request(key, arguments, owner)
        let box = try Resolution.withCurrent { resolution in
            guard let slot, isAnswer(slot) else { return try answer(request, resolution) }
            return try instance(of: Found(slot: slot, holder: self), request, resolution)
        }
        if let box { return unsafeDowncast(box, to: Box<Service>.self).value }
        tellNothing(for: key, arguments, owner)
        return nil
    }

    /// The service.
    func neededService<Service>(
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: Owner?
    ) throws -> Service {
        let arguments = Arguments.any(arguments)
        let key = ServiceKey(Service.self, name, arguments)
        var slot: Slot?
        if isOnFastPath {
            do throws(Registry.NotReady) {
                return try registry.ready(key, else: &slot) { box in
                    unsafeDowncast(box, to: Box<Service>.self).value
                }
            } catch {}
            if let slot, isBare(slot) { return try make(Service.self, slot, arguments, owner) }
        }
        let request = Request(key: key, arguments: arguments, owner: owner, isNeeded: true)
        let box = try Resolution.withCurrent { resolution in
            guard let slot, isAnswer(slot) else { return try needed(request, resolution) }
            return try instance(of: Found(slot: slot, holder: self), request, resolution)
        }
        return unsafeDowncast(box, to: Box<Service>.self).value
    }

    /// True if a slot itself answers requests for its key, with no forward and no decorators in between.
    private func isAnswer(_ slot: Slot) -> Bool { slot.isOwn && !hasFlag(.hasDecorators) }

    /// The instance that the fast path finds.
    func ready(_ key: ServiceKey) -> AnyBox? {
        guard isOnFastPath else { return nil }
        var slot: Slot?
        return try? registry.ready(key, else: &slot) { $0 }
    }

    /// The instance for a request, or an error if nothing is registered.
    package func needed(_ request: Request, _ resolution: Resolution) throws -> AnyBox {
        guard let box = try answerInTurn(request, resolution) else {
            throw missing(request, resolution.path)
        }
        return box
    }

    /// The instance for a dependent's request.
    func needed(
        _ request: Request,
        by dependent: Dependent?,
        _ resolution: Resolution
    ) throws -> AnyBox {
        try resolution.asking(dependent, in: self) { try needed(request, resolution) }
    }

    /// True if the instances of a slot take a factory alone, and nothing keeps or observes them.
    @inline(__always)
    private func isBare(_ slot: Slot) -> Bool {
        let traits = slot.registration.traits
        return isAnswer(slot) && traits.kind == .transient
            && traits.isDisjoint(with: .needMoreThanFactory)
    }

    /// Makes an instance that nothing keeps or observes, and returns it straight to its place.
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
            let owner = handed(owner, path)
            var step = Resolution.Step(
                Found(slot: slot, holder: self),
                by: self,
                arguments,
                after: path
            )
            step.owner = owner
            guard step.beginWork() else {
                throw ended(for: Request(slot.registration.key, arguments, owner), path)
            }
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
        }
    }
}

// MARK: - Other resolvers of the library

// These make the rarer requests, so they take no fast path.
extension EngineResolver {
    /// A request through this resolver.
    func newRequest(_ key: ServiceKey, _ arguments: Arguments?) -> Engine.Request {
        var request = Engine.Request(key, arguments, owner)
        (request.takesTurn, request.beginsGraph) = (takesTurn, beginsGraphs)
        return request
    }

    func _find<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service? {
        let arguments = Arguments.any(arguments)
        let request = newRequest(ServiceKey(Service.self, name, arguments), arguments)
        let box = try Resolution.withCurrent { resolution in
            try resolution.asking(dependent, in: engine) {
                try engine.answerInTurn(request, resolution)
            }
        }
        if let box { return unsafeDowncast(box, to: Box<Service>.self).value }
        engine.tellNothing(for: request.key, arguments, owner)
        return nil
    }

    func _require<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service {
        let arguments = Arguments.any(arguments)
        var request = newRequest(ServiceKey(Service.self, name, arguments), arguments)
        request.isNeeded = true
        let box = try Resolution.withCurrent { try engine.needed(request, by: dependent, $0) }
        return unsafeDowncast(box, to: Box<Service>.self).value
    }
}
