// From the outside inward: `found` is `resolve`, `demanded` is `~>`, `called` is a call of the resolver, and
// `autoResolved` is `autoResolve`: they stop the program. They call `_find` or `_require`, which throw, and these call
// `Engine.service` or `Engine.neededService`, with the fast path. Everything else goes to `Engine.answer`
// (`Engine+OnThread.swift`), or, with a known slot, straight to `Engine.instance(of:)`.

// MARK: - Resolvers that users write

// Every form rests on the one that users implement.
extension Resolver {
    /// What ``resolve(_:name:arguments:)`` gives.
    @_documentation(visibility: internal)
    public func _find<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service? {
        let arguments = arguments ?? ArgumentPack()
        return (arguments as? any TypedArguments)?.request(from: self, name)
    }

    /// What ``resolve(_:name:arguments:)`` gives.
    @_documentation(visibility: internal)
    public func _require<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service {
        if let service: Service = try _find(name, arguments) { return service }
        throw ResolutionError(
            .notRegistered(ResolutionError.Hints { [] }),
            ResolutionError.Request(ServiceKey(Service.self, name, arguments)),
            path: Resolution.withCurrent { $0.path.forError }
        )
    }
}

/// Arguments that know their types, as all do.
private protocol TypedArguments {
    func request<Service>(from resolver: any Resolver, _ name: String?) -> Service?
}

extension ArgumentPack: TypedArguments {
    /// What a resolver that a user wrote gives for the arguments.
    fileprivate func request<Service>(from resolver: any Resolver, _ name: String?) -> Service? {
        resolver.resolve(Service.self, name: name, arguments: repeat each pack)
    }
}

// MARK: - Forms with the place of the call

extension Resolver {
    /// What `require` gives.
    @usableFromInline
    func required<Service>(
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString,
        _ line: UInt
    ) throws -> Service {
        do {
            return try _require(name, arguments)
        } catch {
            throw located(error, at: CodePlace(file: file, line: line), by: "require")
        }
    }
}

/// An error with the place of a call that it passes through.
func located(_ error: any Error, at place: CodePlace?, by asker: String) -> any Error {
    guard var error = error as? ResolutionError else { return error }
    // The next step of the path after the factories running here, if there is one, is what the call required.
    let depth = Resolution.withCurrent { $0.path.depth }
    // Unless a call further in has set it.
    func mark(_ request: inout ResolutionError.Request) {
        guard request.requiredAt == nil else { return }
        (request.requiredAt, request.asker) = (place, asker)
    }
    if depth < error.path.count { mark(&error.path[depth].request) } else { mark(&error.request) }
    return error
}

// MARK: - Forms that stop the program

extension Resolver {
    /// What `resolve` gives.
    @usableFromInline
    @inline(__always)
    func found<Service>(_ name: String?, _ arguments: _Arguments?) -> Service? {
        do {
            return try _find(name, arguments)
        } catch {
            stop(for: error)
        }
    }

    /// What `~>` gives.
    @usableFromInline
    @inline(__always)
    func demanded<Service>(_ name: String?, _ arguments: _Arguments?) -> Service {
        do {
            return try _require(name, arguments)
        } catch {
            stop(for: error)
        }
    }

    /// What a call of the resolver gives.
    @usableFromInline
    func called<Service>(
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString,
        _ line: UInt
    ) -> Service {
        do {
            return try _require(name, arguments)
        } catch {
            stop(for: located(error, at: CodePlace(file: file, line: line), by: "resolver(…)"))
        }
    }

    /// What `autoResolve` gives.
    func autoResolved<Service>(_ name: String?, _ file: StaticString, _ line: UInt) -> Service {
        do {
            return try _require(name, nil)
        } catch {
            stop(for: located(error, at: CodePlace(file: file, line: line), by: "autoResolve"))
        }
    }

    private func stop(for error: any Error) -> Never {
        Resolution.withCurrent { trap(error, $0, asking: (self as? any EngineResolver)?.engine) }
    }
}
