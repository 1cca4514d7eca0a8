import Depin

// Contributions, and the collections that are made of them.

extension Engine {
    /// The contributions to a collection here.
    func contributed(to collected: Collected) -> [Found] {
        contributions(to: collected).compactMap { find($0.key) }
    }
}

extension Survey {
    /// Needed collections without contributions.
    var emptyCollections: [Problem] { gaps.compactMap(emptyCollection) }

    private func emptyCollection(_ gap: Gap) -> Problem? {
        guard gap.kind == .empty, let parts = gap.answer.key.collected else { return nil }
        let property = property(gap.from)
        let asker = property.map { "@Injected \($0)" } ?? "\(nodes[gap.from].request)"
        let name = TypeNames([gap.type, parts.type])
        let contributed = name(parts.type) + (parts.hasNames ? " under a name" : "")
        let place = property == nil ? "  registered at \(nodes[gap.from].registration.place)\n" : ""
        let registered = nodes.first { $0.registration.serviceType == parts.type }
        let fix =
            registered.map { node in
                let isContributed = node.registration.key.isContribution
                let advice =
                    !isContributed
                    ? "use `contribute` there"
                    : parts.hasNames && node.registration.key.name == nil
                        ? "give it a name" : "contribute it where the dependency is registered"
                return
                    "\(node.request), registered at \(node.registration.place), is not part of it: \(advice)"
            } ?? "apply the assembly that contributes, or remove the dependency"
        let text = """
            the \(name(gap.type)) that \(asker) needs is empty: nothing contributes \(contributed)
            \(place)\
              fix: \(fix)
            """
        return problem(.emptyCollection, [gap.from], text)
    }

    /// Registered collections, which hide the contributions.
    var unusedContributions: [Problem] {
        contributedTypes.compactMap { type -> Problem? in
            func array<Element>(_: Element.Type) -> Any.Type { [Element].self }
            let collection = _openExistential(type, do: array)
            guard let hiding = engine.find(ServiceKey(collection))?.registration else { return nil }
            let hidden = engine.contributions(to: type).compactMap {
                engine.find($0.key)?.registration
            }
            let places = hidden.map { "\($0.place)" }.joined(separator: ", ")
            let text = """
                \(readableName(of: collection)) is registered, and hides what is contributed to it
                  registered at \(hiding.place), contributed at \(places)
                  fix: remove the registration, or contribute its elements instead
                """
            let concerned = ([hiding] + hidden).compactMap { index(of: $0) }
            return problem(.unusedContribution, concerned, text)
        }
    }

    /// Contributions with the same name, of which a dictionary can have only one.
    var duplicateNames: [Problem] {
        contributedTypes.compactMap { type in
            func dictionary<Element>(_: Element.Type) -> Any.Type {
                [String: Element].self
            }
            let collection = _openExistential(type, do: dictionary)
            let key = ServiceKey(collection)
            guard let collected = key.collected,
                let failure = engine.duplicateName(among: engine.contributions(to: collected))
            else { return nil }
            let request = ResolutionError.Request(key)
            let error = ResolutionError(failure, request, path: [])
            let nodes = engine.contributed(to: collected).compactMap { index(of: $0.registration) }
            return problem(.duplicateName, nodes, error: error)
        }
    }

    /// Decorators of services that nobody registers.
    var unusedDecorators: [Problem] {
        let unused = chain.enumerated().flatMap { level, engine -> [Decorator] in
            engine.decorators.filter { decorator -> Bool in
                let key = decorator.key
                let isElsewhere =
                    key.name == nil
                    && (!engine.contributions(to: key.serviceType).isEmpty
                        || isProvided(key.serviceType, to: engine))
                return engine.find(key) == nil && !isElsewhere
                    && !registered(key.serviceType) { $0.name == key.name }
                        .contains { nodes[$0].level >= level }
            }
        }
        return unused.sorted { $0.number < $1.number }.map { decorator -> Problem in
            let key = decorator.key
            let meant = nodes.first { node in
                node.registration.serviceType != key.serviceType
                    && key.isKnown(toBe: node.registration.key)
            }
            let fix =
                meant.map {
                    "decorate \($0.request), which is registered at \($0.registration.place): a decorator is"
                        + " found by the type that was registered"
                } ?? "register the service, or remove the decorator"
            let text = """
                the decorator of \(ResolutionError.Request(decorator.key)) decorates nothing: no such service is \
                registered
                  added at \(decorator.place)
                  fix: \(fix)
                """
            return problem(.unusedDecorator, [], text)
        }
    }

    /// The types that are contributed to, in a stable order.
    private var contributedTypes: [Any.Type] {
        var known: Set<ObjectIdentifier> = []
        return nodes.map(\.registration).filter(\.key.isContribution).map(\.serviceType)
            .filter { known.insert(ObjectIdentifier($0)).inserted }
    }
}
