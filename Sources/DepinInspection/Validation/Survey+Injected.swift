import Depin

// What `@Injected` properties and the roots of an app need.

extension Survey {
    /// An `@Injected` property, and what it gets.
    struct Injection: Sendable {
        let need: InjectedProperty
        let target: Target
        let deferral: Deferral

        enum Target: Sendable {
            case registration(Int)
            /// The type is registered under names only: which of them is asked for cannot be known.
            case named([Int])
            /// A collection of these.
            case collection([Int])
            /// Not registered here, but in the assemblers of these names: which one is asked cannot be known.
            case elsewhere(Any.Type, [String])
            /// A gap, an optional of what is not registered, or what every container has.
            case nothing
            case unknown
        }

        /// What it gets, where that is one registration.
        var registration: Int? { if case .registration(let index) = target { index } else { nil } }
    }

    /// Adds a property, whose number comes after those of the registrations, and what it lacks.
    mutating func add(_ property: InjectedProperty) {
        guard let key = property.serviceType.map({ ServiceKey($0) }) else {
            return injections.append(Injection(need: property, target: .unknown, deferral: .none))
        }
        let answer = answer(to: key, by: engine)
        let target = target(of: answer)
        if case .gap(let kind) = answer.target, case .nothing = target,
            kind == .provided || !answer.isOptional
        {
            add(answer.gap(kind, of: nodes.count + injections.count))
        }
        injections.append(Injection(need: property, target: target, deferral: answer.deferral))
    }

    private func target(of answer: Answer) -> Injection.Target {
        switch answer.target {
        case .registration(let found):
            return index(of: found.registration).map { .registration($0) } ?? .nothing
        case .collection(let parts):
            return .collection(parts.compactMap { index(of: $0.registration) })
        case .nothing, .gap(.provided):
            return .nothing
        case .gap(let kind):
            let named = kind == .missing ? named(answer.key) : []
            if !named.isEmpty { return .named(named) }
            let others = answer.isOptional ? [] : assemblers(with: answer.key)
            return others.isEmpty ? .nothing : .elsewhere(answer.key.serviceType, others)
        }
    }

    /// The registrations of a key under a name.
    private func named(_ key: ServiceKey) -> [Int] {
        let isOfType = registered[ObjectIdentifier(key.serviceType)] ?? []
        let all = key.arguments == nil ? isOfType : Array(nodes.indices)
        return all.filter { index in
            nodes[index].keys.contains {
                $0.serviceType == key.serviceType && $0.arguments == key.arguments && $0.name != nil
            }
        }
    }

    /// The names of the space's other assemblers that have what is registered for a key, or contributed.
    private func assemblers(with key: ServiceKey) -> [String] {
        let parts = Derivation(of: key.serviceType)?.collected
        let inForce = Neighbors.shared.inForce
        let all = inForce + Neighbors.shared.defaults(besides: inForce.map(\.name))
        return all.filter { other in
            parts.map { !other.engine.contributions(to: $0).isEmpty }
                ?? other.engine.isRegistered(key)
        }.map(\.name)
    }

    // MARK: - Problems

    /// Modules that were to be searched for properties, and are not there.
    var unknownModules: [Problem] {
        injections.compactMap { injection in
            injection.need.unknownModule.map { module in
                Problem(
                    .missing,
                    """
                    no type of this program is in a module named \(module), so no property of it was checked
                      fix: correct the name in `ofThisProgram(modules:)`, or link the module to the tests
                    """
                )
            }
        }
    }

    /// Properties that cannot wait for what their services take.
    var awaitedProperties: [Problem] {
        injections.compactMap { injection in
            guard let index = injection.registration, !injection.deferral.canAwait,
                nodes[index].needsAwait
            else { return nil }
            return problem(
                .needsAwait,
                [index],
                """
                @Injected \(injection.need) cannot wait for \(nodes[index].request), which is made asynchronously
                  registered at \(nodes[index].registration.place)
                  fix: inject an AsyncLazy<\(readableName(of: nodes[index].registration.serviceType))>
                   or: make it ready first: keep it in a scope, mark it `.eager()`, and warm up at launch
                """
            )
        }
    }

    /// Properties that open a scope for a service which belongs to none.
    var unopenedProperties: [Problem] {
        injections.compactMap { injection in
            guard let index = injection.registration, injection.deferral == .scoped,
                !nodes[index].isOpened, let type = injection.need.serviceType
            else { return nil }
            var error = notOpened(ServiceKey(type), index, path: [])
            error.request.property = "\(injection.need)"
            return problem(.notOpened, [index], error: error)
        }
    }

    /// Roots for which nothing is registered.
    var missingRoots: [Problem] {
        var errors = MissErrors(of: self)
        return roots.filter { registered[ObjectIdentifier($0)] == nil }
            .filter { Derivation(of: $0)?.collected == nil }
            .filter { !isProvided($0, to: engine) }
            .map { Problem(.missing, error: errors.error(for: ServiceKey($0))) }
    }

    /// What cannot be known of properties, and why.
    var unknownProperties: [(property: String, reason: String)] {
        injections.filter { $0.need.unknownModule == nil }.compactMap { injection in
            let reason: String? =
                switch injection.target {
                case .named(let indices):
                    "registered under \(names(of: indices, injection)); the name is not checked"
                case .elsewhere(_, let others):
                    "registered in the space's \(others.joined(separator: " and "));"
                        + " the `assembler:` of a property is not in its metadata"
                case .unknown:
                    injection.need.note ?? "its type is not known"
                default:
                    injection.need.note
                }
            return reason.map { ("\(injection.need)", $0) }
        }
    }

    private func names(of indices: [Int], _ injection: Injection) -> String {
        let names = indices.flatMap { nodes[$0].keys }.compactMap(\.name)
        return Set(names).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    }

    // MARK: - What nobody needs

    /// The registrations that no property, no root and nothing that these need asks for, that no initializer declares
    /// to need, and that are not made at launch.
    ///
    /// A property may have a name, which cannot be known, so it counts for all names of its type. Where
    /// neither properties nor roots are known, nothing is known of who asks.
    var unreached: [Int] {
        guard !injections.isEmpty || !roots.isEmpty else { return [] }
        var queue = roots.flatMap { root in
            let collected = Derivation(of: root)?.collected
            return registered[ObjectIdentifier(root)] ?? collected.map(contributions) ?? []
        }
        queue += nodes.indices.filter { nodes[$0].registration.traits.contains(.isEager) }
        queue += edges.filter(\.isDeclared).map(\.to)
        for injection in injections {
            switch injection.target {
            case .registration(let index):
                queue += [index] + nodes[index].keys.flatMap { named(ServiceKey($0.serviceType)) }
            case .named(let indices), .collection(let indices):
                queue += indices
            case .elsewhere, .nothing, .unknown:
                break
            }
        }
        let reached = reach(queue, by: neighbors { _ in true })
        return nodes.indices.filter { !reached.contains($0) }
    }
}

extension Engine {
    /// True for a key that is registered here or in a parent, under any name.
    fileprivate func isRegistered(_ asked: ServiceKey) -> Bool {
        find(asked) != nil
            || chain.flatMap(\.registry.slots).contains { slot in
                let key = slot.key
                return key.serviceType == asked.serviceType && key.arguments == asked.arguments
                    && !key.isContribution
            }
    }
}
