import Depin

// The needs of `@Injected` properties and of the roots of an app.

extension Survey {
    /// An `@Injected` property, and the service that it gets.
    struct Injection: Sendable {
        /// The property, which says what cannot be known about it.
        var need: InjectedProperty
        /// The answer to the property's type, if it is known; if the type is registered under names only, all of those.
        var answer: Answer?
    }

    /// Adds a property, whose number follows those of the registrations, and its gaps.
    mutating func addProperty(_ property: InjectedProperty) {
        var injection = Injection(need: property)
        if let type = property.serviceType { lookUp(ServiceKey(type), for: &injection) }
        injections.append(injection)
    }

    private mutating func lookUp(_ key: ServiceKey, for injection: inout Injection) {
        var answer = answer(to: key, by: engine)
        let named = answer.gap == .missing ? named(answer.key) : []
        if !named.isEmpty {
            let keys = named.flatMap { nodes[$0].keys }
            let names = Set(keys.compactMap(\.name)).sorted().map { "\"\($0)\"" }
            let anyName = keys.contains(where: \.isForAnyName) ? ["any name"] : []
            let list = (names + anyName).joined(separator: ", ")
            answer.targets = named
            injection.need.note = "registered under \(list); the name is not checked"
        } else if let kind = answer.neededGap {
            let others = kind == .provided ? [] : assemblers(with: answer.key)
            if !others.isEmpty {
                // Nobody knows which container is asked.
                answer.gap = .provided
                injection.need.note =
                    "registered in the space's \(others.joined(separator: " and "));"
                    + " the `assembler:` of a property is not in its metadata"
            }
            addGap(Gap(from: nodes.count + injections.count, answer: answer))
        }
        injection.answer = answer
    }

    /// The registrations of a key under a name.
    private func named(_ key: ServiceKey) -> [Int] {
        registered(key.serviceType) {
            $0.arguments == key.arguments && !$0.isContribution
                && ($0.name != nil || $0.isForAnyName)
        }
    }

    /// The names of the space's other assemblers that have a registration of a key, or contributions.
    private func assemblers(with key: ServiceKey) -> [String] {
        let parts = key.collected
        return Engine.inSpace.filter { other in
            if let parts { return !other.engine.contributions(to: parts).isEmpty }
            // Under whatever name.
            return other.engine.chain.flatMap { $0.registry.slots }.map(\.key).contains {
                $0.serviceType == key.serviceType && $0.arguments == key.arguments
                    && !$0.isContribution
            }
        }.map(\.name)
    }

    // MARK: - Problems

    /// Modules that were to be searched for properties, and are not there.
    var unknownModules: [Problem] {
        options.injected.filter(\.isUnseen).compactMap(\.module).map { module in
            Problem(
                .missing,
                """
                no type of this program is in a module named \(module), so no property of it was checked
                  fix: correct the name in `ofThisProgram(modules:)`, or link the module to the tests
                """
            )
        }
    }

    /// Properties that cannot wait for their asynchronous services.
    var awaitedProperties: [Problem] {
        injections.compactMap { injection in
            guard let answer = injection.answer, !answer.deferral.canAwait,
                let index = answer.takingTime.first(where: { !nodes[$0].registration.isReadyEarly })
            else { return nil }
            let text = """
                @Injected \(injection.need) cannot wait for \(nodes[index].request), which is made asynchronously
                  registered at \(nodes[index].registration.place)
                  fix: inject an AsyncLazy<\(readableName(of: answer.key.serviceType))>
                   or: make it ready first: keep it in a scope, mark it `.eager()`, and warm up at launch, or when its scope opens
                """
            return problem(.needsAwait, [index], text)
        }
    }

    /// Properties that open a scope for a service without one.
    var unopenedProperties: [Problem] {
        injections.compactMap { injection in
            guard let answer = injection.answer, let index = answer.registration,
                answer.deferral == .scoped, nodes[index].registration.openedScope == nil,
                let type = injection.need.serviceType
            else { return nil }
            var error = notOpened(ServiceKey(type), index, path: [])
            error.request.property = "\(injection.need)"
            return problem(.notOpened, [index], error: error)
        }
    }

    /// Roots without a registration.
    var missingRoots: [Problem] {
        options.roots.filter { registered($0).isEmpty }
            .filter { answer(to: ServiceKey($0), by: engine).neededGap == .missing }
            .map { Problem(.missing, error: error(of: Miss(key: ServiceKey($0)))) }
    }

    /// The properties that not everything is known about, with the reasons.
    var unknownProperties: [(property: String, reason: String)] {
        (options.injected.filter(\.isUnseen) + injections.map(\.need)).compactMap { property in
            property.note.map { ("\(property)", $0) }
        }
    }

    // MARK: - What nobody needs

    /// The registrations that no property, no root and none of their needs asks for, that no initializer needs, and
    /// that are not made at launch.
    ///
    /// A property's name is unknown, so the property counts for all names of its type. Without properties and roots,
    /// nothing is known about requests.
    var unreached: [Int] {
        guard !injections.isEmpty || !options.roots.isEmpty else { return [] }
        var queue = options.roots.flatMap {
            registered($0) + answer(to: ServiceKey($0), by: engine).targets
        }
        queue += nodes.indices.filter { nodes[$0].registration.traits.contains(.isEager) }
        queue += edges.filter(\.isDeclared).map(\.to)
        for answer in injections.compactMap(\.answer) {
            let keys = answer.registration.map { nodes[$0].keys } ?? []
            queue += answer.targets + keys.flatMap { named(ServiceKey($0.serviceType)) }
        }
        let reached = reach(queue, by: neighbors { _ in true })
        return nodes.indices.filter { !reached.contains($0) }
    }
}
