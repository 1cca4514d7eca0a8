import Depin

// What is contributed, and the collections that are made of it.

extension Survey {
    /// A collection that a registration declares to need.
    struct Collection {
        let type: Any.Type
        let parts: Collected
        let deferral: Deferral
    }

    /// A need of a collection to which nobody contributes.
    struct EmptyCollection: Sendable {
        let from: Int
        let type: Any.Type
        let parts: Collected
        let isDeclared: Bool
    }

    mutating func declare(
        _ index: Int,
        needs collection: Collection,
        of asked: Engine,
        isOptional: Bool
    ) {
        let contributions = asked.contributions(to: collection.parts)
        for found in contributions.compactMap({ asked.find($0.key) }) {
            declare(index, needs: found, collection.deferral, of: asked)
        }
        if contributions.isEmpty, !isOptional {
            let (type, parts) = (collection.type, collection.parts)
            add(EmptyCollection(from: index, type: type, parts: parts, isDeclared: true))
        }
    }

    /// The contributions that make a collection for the container that is looked at.
    func contributions(to collected: Collected) -> [Int] {
        engine.contributions(to: collected).compactMap { engine.find($0.key) }
            .compactMap { index(of: $0.registration) }
    }

    /// Notes a collection that a resolution was given, and found empty.
    mutating func addEmpty(_ type: Any.Type, neededBy number: UInt) {
        guard let index = indices[number], let parts = Derivation(of: type)?.collected else {
            return
        }
        add(EmptyCollection(from: index, type: type, parts: parts, isDeclared: false))
    }

    private mutating func add(_ empty: EmptyCollection) {
        let isKnown = empties.contains { $0.from == empty.from && $0.type == empty.type }
        if !isKnown { empties.append(empty) }
    }

    // MARK: - Problems

    /// Collections that are needed, and to which nobody contributes.
    var emptyCollections: [Problem] {
        let needed = empties.map { empty in
            emptyCollection(
                empty,
                [empty.from],
                by: "\(nodes[empty.from].request)",
                at: nodes[empty.from].registration.place
            )
        }
        return needed
            + injections.compactMap { injection in
                guard case .empty(let empty) = injection.target else { return nil }
                return emptyCollection(empty, [], by: "@Injected \(injection.need)", at: nil)
            }
    }

    private func emptyCollection(
        _ empty: EmptyCollection,
        _ nodes: [Int],
        by asker: String,
        at place: CodePlace?
    ) -> Problem {
        let name = TypeNames([empty.type, empty.parts.type])
        let contributed = name(empty.parts.type) + (empty.parts.hasNames ? " under a name" : "")
        let registered = self.nodes.first { $0.registration.serviceType == empty.parts.type }
        let fix =
            registered.map {
                "\($0.request), registered at \($0.registration.place), is not part of it: use `contribute` there"
            } ?? "apply the assembly that contributes, or remove the dependency"
        return problem(
            .emptyCollection,
            nodes,
            """
            the \(name(empty.type)) that \(asker) needs is empty: nothing contributes \(contributed)
            \(place.map { "  registered at \($0)\n" } ?? "")\
              fix: \(fix)
            """
        )
    }

    /// Collections that are registered, and so hide what is contributed.
    var unusedContributions: [Problem] {
        contributedTypes.compactMap { type -> Problem? in
            func array<Element>(_: Element.Type) -> Any.Type { [Element].self }
            let collection = _openExistential(type, do: array)
            guard let hiding = engine.find(ServiceKey(collection))?.registration else { return nil }
            let hidden = engine.contributions(to: type).compactMap {
                engine.find($0.key)?.registration
            }
            let places = hidden.map { "\($0.place)" }.joined(separator: ", ")
            return problem(
                .unusedContribution,
                ([hiding] + hidden).compactMap { index(of: $0) },
                """
                \(readableName(of: collection)) is registered, and hides what is contributed to it
                  registered at \(hiding.place), contributed at \(places)
                  fix: remove the registration, or contribute its elements instead
                """
            )
        }
    }

    /// Contributions of which a dictionary could have but one.
    var duplicateNames: [Problem] {
        contributedTypes.compactMap { type in
            func dictionary<Element>(_: Element.Type) -> Any.Type {
                [String: Element].self
            }
            let collection = _openExistential(type, do: dictionary)
            guard let collected = Derivation(of: collection)?.collected,
                let failure = engine.duplicateName(among: engine.contributions(to: collected))
            else { return nil }
            let request = ResolutionError.Request(ServiceKey(collection))
            let error = ResolutionError(failure, request, path: [])
            return problem(.duplicateName, contributions(to: collected), error: error)
        }
    }

    /// Decorators of what nobody registers.
    var unusedDecorators: [Problem] {
        // From the outermost parent inward, so that each registration is looked at once.
        var decorable: Set<ServiceKey> = []
        return engine.chain.reversed().flatMap { engine in
            for key in engine.registry.slots.map(\.key) {
                decorable.insert(ServiceKey(key.serviceType, name: key.name))
                if key.isContribution { decorable.insert(ServiceKey(key.serviceType)) }
            }
            return engine.decorators.filter { decorator in
                let key = ServiceKey(decorator.serviceType, name: decorator.name)
                return !decorable.contains(key) && engine.find(key) == nil
            }
        }
        .sorted { $0.place.line < $1.place.line }
        .map { decorator in
            let key = ServiceKey(decorator.serviceType, name: decorator.name)
            let type = TypeFacts.of(decorator.serviceType)
            let meant = nodes.first { node in
                node.registration.serviceType != type.type
                    && type.isKnown(toBe: .of(node.registration.serviceType))
            }
            let fix =
                meant.map {
                    "decorate \($0.request), which is registered at \($0.registration.place): a decorator is"
                        + " found by the type that was registered"
                } ?? "register the service, or remove the decorator"
            return problem(
                .unusedDecorator,
                [],
                """
                the decorator of \(ResolutionError.Request(key)) decorates nothing: no such service is \
                registered
                  added at \(decorator.place)
                  fix: \(fix)
                """
            )
        }
    }

    /// The types that are contributed to, in a stable order.
    private var contributedTypes: [Any.Type] {
        var known: Set<ObjectIdentifier> = []
        return nodes.map(\.registration).filter(\.key.isContribution).map(\.serviceType)
            .filter { known.insert(ObjectIdentifier($0)).inserted }
    }
}
