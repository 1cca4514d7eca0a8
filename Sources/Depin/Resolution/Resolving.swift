// How each resolver of the library hands a request to a core.

/// A resolver with a core behind it.
protocol CoreResolver: Resolver {
    var core: Core { get }
    /// Keeps the core's container open; nil in what a container keeps.
    var owner: CoreOwner? { get }
}

extension CoreResolver {
    @inline(__always)
    func enter(_ serviceType: Any.Type, _ name: String?, _ arguments: Arguments?) -> _Place? {
        do {
            return try core.answer(serviceType, name, .any(arguments), owner)
        } catch {
            Path.withCurrent { trap(error, $0) }
        }
    }

    @inline(__always)
    func enterRequired(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ place: CodePlace?
    ) throws -> _Place {
        do {
            if let found = try core.answer(serviceType, name, .any(arguments), owner) {
                return found
            }
            throw core.missing(serviceType, name, .any(arguments), owner)
        } catch let error as ResolutionError {
            guard let place else { throw error }
            throw Path.withCurrent { error.required(at: place, depth: $0.depth) }
        }
    }
}

extension Core {
    /// The error for a request of the shell that found nothing.
    @inline(never)
    func missing(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ owner: CoreOwner?
    ) -> ResolutionError {
        let key = ServiceKey(serviceType, arguments: arguments.map { type(of: $0) }, name: name)
        return Path.withCurrent { missing(ServiceRequest(key, arguments, to: self, owner), $0) }
    }
}

extension CoreResolver {
    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        enter(Service.self, name?.name, ArgumentPack(repeat each arguments))?.take(Service.self)
    }

    func _resolve(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) -> _Place? {
        enter(serviceType, name, arguments)
    }

    func _demand(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) -> _Place {
        demand(serviceType, name, arguments)
    }

    func _require(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> _Place {
        try enterRequired(
            serviceType,
            name,
            arguments,
            file.map { CodePlace(file: $0, line: line) }
        )
    }

    @inline(__always)
    func demand(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: Arguments?
    ) -> _Place {
        do {
            return try enterRequired(serviceType, name, arguments, nil)
        } catch {
            Path.withCurrent { trap(error, $0) }
        }
    }
}

extension Core: CoreResolver {
    var core: Core { self }
    var owner: CoreOwner? { nil }
}

extension CoreOwner: CoreResolver {
    var owner: CoreOwner? { self }
}

// MARK: - Resolvers that users write

// Each form rests on the one that they implement. What it gives is put where the shell looks for it.
extension Resolver {
    /// What ``resolve(_:name:arguments:)`` gives.
    public func _resolve(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) -> _Place? {
        func resolve<Service>(_: Service.Type) -> _Place? {
            let borrower = ResolvingBorrower<Service, Self>(resolver: self, name: name)
            guard let service = arguments.map({ $0.lend(to: borrower) }) ?? borrower.take() else {
                return nil
            }
            return Path.withCurrent { path in
                let mark = path.places.mark
                defer { path.places.release(to: mark) }
                return path.places.put(service)
            }
        }
        return _openExistential(serviceType, do: resolve)
    }

    /// What ``resolve(_:name:arguments:)`` gives; stops the program where that is nil.
    public func _demand(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) -> _Place {
        if let place = _resolve(serviceType, name, arguments) { return place }
        Path.withCurrent { trap(Self.missing(serviceType, name, arguments, $0), $0) }
    }

    /// What ``resolve(_:name:arguments:)`` gives.
    public func _require(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> _Place {
        if let place = _resolve(serviceType, name, arguments) { return place }
        throw Path.withCurrent { path in
            let error = Self.missing(serviceType, name, arguments, path)
            return file.map {
                error.required(at: CodePlace(file: $0, line: line), depth: path.depth)
            } ?? error
        }
    }

    private static func missing(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ path: Path
    ) -> ResolutionError {
        let key = ServiceKey(serviceType, arguments: arguments.map { type(of: $0) }, name: name)
        return ResolutionError(
            .notRegistered(ResolutionError.Hints([])),
            ResolutionError.Request(key),
            path: path.forError
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
