// How each resolver of the library hands a request to a core, and takes the service from what comes back.
//
// PERF: generic, and compiled once: a service is returned to where the caller wants it, by its type's
// witnesses. So nothing here may mention a type that is made of the service's, an `Optional` for one, but
// in what it returns: the runtime would look its metadata up, 450 instructions each time.

/// A resolver with a core behind it.
protocol CoreResolver: Resolver {
    var core: Core { get }
    /// Keeps the core's container open; nil in what a container keeps.
    var owner: CoreOwner? { get }
    /// Lends the core and its owner to a body that asks for a service.
    func asking<Result>(_ body: (Core, CoreOwner?) throws -> Result) rethrows -> Result
}

// PERF: inlined into each resolver's witness, which knows where its core is (a tenth of row 4).
extension CoreResolver {
    @inline(__always)
    func asking<Result>(_ body: (Core, CoreOwner?) throws -> Result) rethrows -> Result {
        try body(core, owner)
    }

    @inline(__always)
    func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        if Arguments.areNone(arguments) { return try _find(Service.self, name, nil) }
        return try asking { try $0.find(Service.self, name, arguments, $1) }
    }

    @inline(__always)
    func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service {
        if Arguments.areNone(arguments) {
            return try _require(Service.self, name, nil, file, line)
        }
        return try asking { try $0.require(Service.self, name, arguments, $1, file, line) }
    }

    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        found(Service.self, name?.name, ArgumentPack(repeat each arguments))
    }
}

extension Core {
    /// The service, or nil where nothing is registered.
    @inline(__always)
    func find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: CoreOwner?
    ) throws -> Service? {
        let key = ServiceKey(Service.self, name, arguments)
        var seen = Seen()
        do { return try ready(key, else: &seen) as Service } catch {}
        switch try answer(key, arguments, owner, isNeeded: false, consume seen) {
        case .instance(let box):
            return unsafeDowncast(box, to: Box<Service>.self).value
        case .weak(let instance, let object):
            return instance.service(Service.self, holding: object)
        case .factory(let entry):
            return try make(Service.self, entry, arguments, owner)
        case .nothing:
            tellNothing(for: key, arguments, owner)
            return nil
        }
    }

    /// The service.
    @inline(__always)
    func require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service {
        let key = ServiceKey(Service.self, name, arguments)
        var seen = Seen()
        do { return try ready(key, else: &seen) } catch {}
        do {
            switch try answer(key, arguments, owner, isNeeded: true, consume seen) {
            case .instance(let box):
                return unsafeDowncast(box, to: Box<Service>.self).value
            case .weak(let instance, let object):
                return instance.service(Service.self, holding: object)
            case .factory(let entry):
                return try make(Service.self, entry, arguments, owner)
            case .nothing:
                let request = ServiceRequest(key, arguments, to: self, owner)
                throw Path.withCurrent { missing(request, $0) }
            }
        } catch {
            throw Self.error(error, file, line)
        }
    }

    /// An error as the caller of `require` gets it, with the place of the call.
    @inline(never)
    static func error(
        _ error: any Error,
        _ file: StaticString?,
        _ line: UInt,
        by asker: ResolutionError.Request.Asker = .require
    ) -> any Error {
        guard let file, let error = error as? ResolutionError else { return error }
        let place = CodePlace(file: file, line: line)
        return Path.withCurrent { error.required(at: place, by: asker, depth: $0.depth) }
    }
}

extension Core: CoreResolver {
    var core: Core { self }
    var owner: CoreOwner? { nil }
}

extension CoreOwner: CoreResolver {
    var owner: CoreOwner? { self }

    // PERF: lends itself, because asking it for its owner counts two references more (row 4: a twelfth; row 1-view:
    // a seventh).
    @inline(__always)
    func asking<Result>(_ body: (Core, CoreOwner?) throws -> Result) rethrows -> Result {
        try body(core, self)
    }
}

// MARK: - Resolvers that users write

// Each form rests on the one that they implement.
extension Resolver {
    /// What ``resolve(_:name:arguments:)`` gives.
    public func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        let borrower = ResolvingBorrower<Service, Self>(resolver: self, name: name)
        return arguments.map { $0.lend(to: borrower) } ?? borrower.take()
    }

    /// What ``resolve(_:name:arguments:)`` gives.
    public func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service {
        if let service = try _find(Service.self, name, arguments) { return service }
        throw Path.withCurrent { path in
            let error = ResolutionError(
                .notRegistered(ResolutionError.Hints([])),
                ResolutionError.Request(ServiceKey(Service.self, name, arguments)),
                path: path.forError
            )
            return file.map {
                error.required(at: CodePlace(file: $0, line: line), depth: path.depth)
            } ?? error
        }
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
            return try _require(Service.self, name, arguments, nil, 0)
        } catch {
            stop(for: error)
        }
    }

    /// What `autoResolve` gives.
    func autoResolved<Service>(_ name: String?, _ file: StaticString, _ line: UInt) -> Service {
        do {
            return try _require(Service.self, name, nil, nil, 0)
        } catch {
            let place = CodePlace(file: file, line: line)
            let depth = Path.withCurrent { $0.depth }
            let known = error as? ResolutionError
            stop(for: known?.required(at: place, by: .autoResolve, depth: depth) ?? error)
        }
    }

    @inline(never)
    private func stop(for error: any Error) -> Never {
        Path.withCurrent { trap(error, $0, asking: (self as? any CoreResolver)?.core) }
    }
}
