import Depin

// The problems of registrations. Failed resolutions are described by ``ResolutionError``.

extension Survey {
    typealias Problem = ValidationReport.Problem
    typealias Kind = ValidationReport.Kind

    /// A problem of registrations or of a property.
    func problem(
        _ kind: Kind,
        _ nodes: [Int],
        error: ResolutionError? = nil,
        _ text: String? = nil
    ) -> Problem {
        var problem = Problem(kind, error: error, text)
        problem.nodes = nodes
        problem.places = nodes.filter { property($0) == nil }
            .map { self.nodes[$0].registration.place }
        return problem
    }

    /// The property with a number.
    func property(_ number: Int) -> InjectedProperty? {
        number < nodes.count ? nil : injections[number - nodes.count].need
    }

    /// Problems of single registrations.
    func problems(_ kind: Kind, of text: (Node) -> String?) -> [Problem] {
        nodes.indices.compactMap { index in
            text(nodes[index]).map { problem(kind, [index], $0) }
        }
    }

    /// Problems of single needs; the text names their types.
    private func problems(
        _ kind: Kind,
        of isMeant: (Edge) -> Bool,
        _ text: (_ from: Node, _ to: Node, _ name: TypeNames) -> String
    ) -> [Problem] {
        edges.filter(isMeant).map { edge in
            let (from, to) = (nodes[edge.from], nodes[edge.to])
            let text = text(from, to, TypeNames(from.types + to.types))
            return problem(kind, [edge.from], text).along([edge.from, edge.to])
        }
    }

    // MARK: - Known from the types

    /// Declared needs, also of properties, without a registration.
    var missing: [Problem] {
        // Many may need the same service, and finding what was meant takes time.
        var known: [Miss: ResolutionError] = [:]
        return gaps.filter { $0.kind == .missing }.map { gap in
            let scope = unopenedScope(around: gap.from)
            let miss = Miss(key: gap.answer.need, asked: gap.asked, scope: scope)
            var error = known[miss] ?? error(of: miss)
            known[miss] = error
            if let property = property(gap.from) {
                error.request.property = "\(property)"
            } else {
                error.path = [nodes[gap.from].step]
            }
            return problem(.missing, [gap.from], error: error)
        }
    }

    /// A key that a container a number of steps up does not have, requested for an instance of a scope that is not
    /// open.
    struct Miss: Hashable {
        let key: ServiceKey
        var asked = 0
        var scope: String?
    }

    func error(of miss: Miss) -> ResolutionError {
        let hints = chain[miss.asked].hints(for: miss.key, validating: true, seedOf: miss.scope)
        return ResolutionError(.notRegistered(hints), ResolutionError.Request(miss.key), path: [])
    }

    /// The scope that alone can have a service made, and is not open here.
    private func unopenedScope(around index: Int) -> String? {
        guard property(index) == nil, nodes[index].isOpened || !nodes[index].isShared
        else { return nil }
        let needed = edges.filter { $0.from == index && $0.isDirect }.map(\.to)
        return ([index] + needed).map { nodes[$0] }
            .first(where: isUnopened)?.registration.scopeName
    }

    /// Circles of needs.
    func circular(where isMeant: (Edge) -> Bool) -> [Problem] {
        cycles(where: isMeant).map { cycle in
            let error = ResolutionError(
                .circularDependency(otherPath: []),
                nodes[cycle[0]].request,
                path: cycle.map { nodes[$0].step }
            )
            return problem(.circular, cycle, error: error).along(cycle + [cycle[0]])
        }
    }

    /// Shared registrations that ignore their arguments.
    var ignoredArguments: [Problem] {
        problems(.ignoredArguments) { node in
            guard node.isShared, node.registration.key.arguments != nil,
                !node.registration.traits.contains(.perArguments)
            else { return nil }
            return """
                \(node.request) is shared in scope \(node.registration.scopeName) whatever its \
                arguments: the first arguments win
                  registered at \(node.registration.place)
                  fix: write `.perArguments` after the scope, inside the parentheses of \
                `inObjectScope`, to get an instance for each value; or use scope graph or \
                transient, or remove the arguments
                """
        }
    }

    /// Runtime arguments that serve no parameter of an initializer, or more than one.
    var misfits: [Problem] {
        nodes.indices.flatMap { index -> [Problem] in
            let registration = nodes[index].registration
            let arguments = registration.key.argumentTypes
            guard let parameters = registration.dependencies, !arguments.isEmpty else { return [] }
            let fit = ArgumentFit(of: arguments, to: parameters)
            let contested = "the first of several arguments serves the parameter"
            let findings: [(Kind, [Any.Type], String)] = [
                (.unusedArgument, fit.unused, "no parameter takes the argument"),
                (.ambiguousArgument, fit.shared, "several parameters take the argument"),
                (.ambiguousArgument, fit.contested, contested),
            ]
            return findings.flatMap { kind, types, finding in
                types.map { misfit(kind, index, $0, finding) }
            }
        }
    }

    private func misfit(_ kind: Kind, _ index: Int, _ type: Any.Type, _ finding: String) -> Problem
    {
        let node = nodes[index]
        let name = TypeNames(node.types + [type])
        let fix =
            kind == .unusedArgument
            ? "remove the argument, or give the initializer a parameter for it"
            : "register it with a factory, which says what goes where"
        let text = """
            in the initializer of \(node.named(by: name)), \(finding) \(name(type))
              registered at \(node.registration.place)
              fix: \(fix)
            """
        return problem(kind, [index], text)
    }

    /// Eager registrations of which a warm-up makes no lasting instance.
    var idleEager: [Problem] {
        problems(.idleEager) { node in
            guard node.registration.traits.contains(.isEager) else { return nil }
            return engine.obstacle(toWarmingUp: node.registration).map { obstacle in
                """
                \(node.request) is marked `.eager()`, and warming up is of no use to it: \
                \(obstacle.reason)
                  registered at \(node.registration.place)
                  fix: \(obstacle.fix)
                """
            }
        }
    }

    // MARK: - Known from the needs

    /// Declared needs of a scope for a service without one.
    var unopenedNeeds: [Problem] {
        edges.filter {
            $0.isDeclared && $0.deferral == .scoped && nodes[$0.to].registration.openedScope == nil
        }
        .map { edge in
            let service = nodes[edge.to].registration.serviceType
            func scoped<Service>(_: Service.Type) -> Any.Type { Scoped<Service>.self }
            let name = nodes[edge.to].registration.key.name
            let key = ServiceKey(_openExistential(service, do: scoped), name: name)
            let error = notOpened(key, edge.to, path: [nodes[edge.from].step])
            return problem(.notOpened, [edge.from], error: error)
                .along([edge.from, edge.to])
        }
    }

    func notOpened(
        _ key: ServiceKey,
        _ index: Int,
        path: [ResolutionError.Step]
    ) -> ResolutionError {
        let failure = nodes[index].registration.notOpened
        return ResolutionError(failure, ResolutionError.Request(key), path: path)
    }

    /// Declared needs of synchronous code for asynchronous services.
    var awaitedNeeds: [Problem] {
        func isMeant(_ edge: Edge) -> Bool {
            edge.isAwaited && !nodes[edge.to].registration.isReadyEarly
        }
        return problems(.needsAwait, of: isMeant) { from, to, name in
            let (key, type) = (to.registration.key, name(to.registration.serviceType))
            return """
                \(from.named(by: name)) cannot wait for \(to.named(by: name)), which is made asynchronously
                  registered at \(from.registration.place) and at \(to.registration.place)
                  fix: register it with `asyncInitializer:` or `asyncFactory:` too, or take an \
                AsyncLazy<\(key.requestedType(name))>
                   or: make \(type) ready first: keep it in a scope, mark it `.eager()`, and warm up at launch, or when its scope opens
                """
        }
    }

    /// Registrations that can only be built on the main thread, without saying so.
    var mainActorNeeds: [Problem] {
        func isMeant(_ edge: Edge) -> Bool {
            edge.deferral == .none && nodes[edge.to].isMainActor && !nodes[edge.from].isMainActor
                && !nodes[edge.from].isAsync(in: engine)
        }
        return problems(.mainActor, of: isMeant) { from, to, name in
            """
            \(from.named(by: name)) may be built on any thread, and needs \
            \(to.named(by: name)), which is made on the main actor
              registered at \(from.registration.place) and at \(to.registration.place)
              fix: register it with `mainActorFactory:` too, or take a Lazy or Provider
            """
        }
    }
}

extension ValidationReport.Problem {
    /// This problem with the way of needs that it lies in: each registration needs the next one.
    func along(_ way: [Int]) -> Self {
        var problem = self
        problem.way = way
        return problem
    }
}
