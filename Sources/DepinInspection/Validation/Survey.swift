import Depin

/// The registrations that a container can reach, and which of them needs which.
struct Survey: Sendable {
    struct Edge: Hashable, Sendable {
        let from: Int
        let to: Int
        let deferral: Deferral
        var isCompleting = false
        /// True where a child's decorator has the need, and not what that is around.
        var isAround = false
        let isDeclared: Bool

        /// True where it is had without waiting, now or later.
        var isSynchronous: Bool { !deferral.canAwait }
        /// True where the one needs the other while it is being built.
        var isDirect: Bool { !isDeferred && !isAround }
        var isDeferred: Bool { deferral != .none || isCompleting }
    }

    /// A need, of a registration or of an `@Injected` property, for which nothing is registered.
    struct Gap: Sendable {
        /// The registration or the property, by its number.
        let from: Int
        let key: ServiceKey
        /// What is to be registered: `Feed` for a need of a `Lazy<Feed>`.
        let type: Any.Type
        /// How many steps up the container is that is asked.
        var asked = 0
        let kind: Kind
        let isDeferred: Bool
        let isDeclared: Bool

        /// Its name is what a graph shows in the place of a scope.
        enum Kind: Sendable {
            case missing
            /// It is a collection to which nobody contributes.
            case empty
            case provided
        }

        /// What is missing; it takes no arguments.
        var service: ServiceKey { ServiceKey(type, name: key.name) }
    }

    /// A registration, and how many steps up the container is that is asked for what it needs.
    private struct Use: Hashable {
        let index: Int
        let asked: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private(set) var gaps: [Gap] = []
    /// Where the gaps of each registration or property stand.
    private var gapIndices: [Int: [ServiceKey: Int]] = [:]
    var injections: [Injection] = []
    let roots: [Any.Type]
    /// The registrations of each type, without arguments.
    private(set) var registered: [ObjectIdentifier: [Int]] = [:]

    let engine: Engine
    /// The container that is looked at, and its parents.
    let chain: [Engine]
    let provided: Set<ObjectIdentifier>
    private var indices: [UInt: Int] = [:]
    /// The registrations of each type and name, whatever their arguments.
    private var byService: [ServiceKey: [Int]] = [:]

    init(
        of engine: Engine,
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty] = [],
        roots: [Any.Type] = []
    ) {
        self.engine = engine
        chain = Array(engine.chain)
        self.roots = roots
        self.provided = Set(provided.map { ObjectIdentifier($0) })
        for (level, engine) in chain.enumerated() {
            for slot in engine.registry.slots {
                let (key, registration) = (slot.key.requested, slot.registration)
                let index = indices[registration.number] ?? nodes.count
                if index == nodes.count {
                    indices[registration.number] = index
                    nodes.append(Node(registration: registration, engine: engine, level: level))
                    let (type, own) = (registration.serviceType, registration.key)
                    // The request without a name is not one for any.
                    if !own.isForAnyName {
                        byService[ServiceKey(type, name: own.name), default: []].append(index)
                    }
                }
                nodes[index].keys.append(key)
                // A contribution answers for its collections alone.
                if key.arguments == nil, !key.isContribution {
                    registered[ObjectIdentifier(key.serviceType), default: []].append(index)
                }
            }
        }
        declareNeeds()
        for property in injected { add(property) }
    }

    /// Adds the needs that the registrations declare.
    private mutating func declareNeeds() {
        // What is shared is built with its own container's resolver, all else with that of the one
        // that is asked: this one, or that of what is shared and needs it.
        var uses = nodes.indices.map { Use(index: $0, asked: home(of: nodes[$0]) ?? 0) }
        var known = (uses: Set(uses), edges: Set<Edge>())
        var next = 0
        while next < uses.count {
            let use = uses[next]
            for need in nodes[use.index].registration.declaredNeeds {
                for edge in declare(use, needs: need) {
                    if known.edges.insert(edge).inserted { edges.append(edge) }
                    let further = Use(index: edge.to, asked: use.asked)
                    if !nodes[edge.to].isShared, known.uses.insert(further).inserted {
                        uses.append(further)
                    }
                }
            }
            next += 1
        }
    }

    /// What a declared need leads to; what is not there is noted.
    private mutating func declare(_ use: Use, needs key: ServiceKey) -> [Edge] {
        let answer = answer(to: key, by: chain[use.asked])
        let targets: [Found]
        switch answer.target {
        case .registration(let found): targets = [found]
        case .collection(let parts): targets = parts
        case .nothing: targets = []
        case .gap(let kind):
            targets = []
            if kind == .provided || !answer.isOptional {
                add(answer.gap(kind, of: use.index, asked: use.asked))
            }
        }
        return targets.compactMap { index(of: $0.registration) }.map {
            Edge(from: use.index, to: $0, deferral: answer.deferral, isDeclared: true)
        }
    }

    /// Adds what resolutions have shown.
    mutating func add(_ needs: [Needs.Need]) {
        typealias Identity = Needs.Need.Registration
        var registrations: [Identity: Int] = [:]
        for (index, node) in nodes.enumerated() {
            for key in [node.registration.key] + node.keys {
                let registration = Identity(engine: node.engine.number, key: key)
                registrations[registration] = registrations[registration] ?? index
            }
        }
        var known = Set(edges.map { [$0.from, $0.to] })
        var observed: [Edge] = []
        for need in needs {
            guard let from = registrations[need.from], let to = registrations[need.to] else {
                continue
            }
            observed.append(
                Edge(
                    from: from,
                    to: to,
                    deferral: need.deferral,
                    isCompleting: need.isCompleting,
                    isAround: need.isAround,
                    isDeclared: false
                )
            )
        }
        // Of several needs between two, the plainest is kept.
        observed.sort { $0.order < $1.order }
        for edge in observed where known.insert([edge.from, edge.to]).inserted {
            edges.append(edge)
        }
    }

    func index(of registration: Registration) -> Int? { indices[registration.number] }

    /// The registration that an error's path names.
    func index(of step: ResolutionError.Step) -> Int? {
        let key = ServiceKey(step.request.serviceType, name: step.request.name)
        return byService[key]?.first { nodes[$0].registration.place == step.registeredAt }
    }

    /// Adds a gap, of several between the same two the plainest.
    mutating func add(_ gap: Gap) {
        guard let known = gapIndices[gap.from]?[gap.service] else {
            gapIndices[gap.from, default: [:]][gap.service] = gaps.count
            return gaps.append(gap)
        }
        if gaps[known].isDeferred, !gap.isDeferred { gaps[known] = gap }
    }

    // MARK: - What a key leads to

    /// What is found for a key, as far as the types tell.
    struct Answer {
        let need: ServiceKey
        let target: Target
        /// What was looked for in the end: `Feed` for a `Lazy<Feed>`.
        let key: ServiceKey
        let deferral: Deferral
        let isOptional: Bool

        enum Target {
            case registration(Found)
            case collection([Found])
            case gap(Gap.Kind)
            /// It is made of nothing that is registered, as what every container has.
            case nothing
        }

        func gap(_ kind: Gap.Kind, of from: Int, asked: Int = 0) -> Gap {
            Gap(
                from: from,
                key: need,
                type: key.serviceType,
                asked: asked,
                kind: kind,
                isDeferred: deferral != .none,
                isDeclared: true
            )
        }
    }

    /// What a container gives for a key, as far as the types tell.
    func answer(to need: ServiceKey, by asked: Engine) -> Answer {
        var key = need
        var deferral = Deferral.none
        var isOptional = false
        func answer(_ target: Answer.Target) -> Answer {
            Answer(
                need: need,
                target: target,
                key: key,
                deferral: deferral,
                isOptional: isOptional
            )
        }
        while true {
            if let found = asked.find(key) { return answer(.registration(found)) }
            let type = key.serviceType
            if need.name == nil, isProvided(type, to: asked) { return answer(.gap(.provided)) }
            if let optional = type as? any OptionalValue.Type {
                key = key.with(optional.wrappedType)
                isOptional = true
                continue
            }
            // What is made of nothing that is registered has no name.
            guard let derived = Derivation(of: type), need.name == nil || derived.source != nil
            else { return answer(.gap(.missing)) }
            if derived.deferral != .none { deferral = derived.deferral }
            if let parts = derived.collected {
                let contributed = asked.contributed(to: parts)
                return answer(contributed.isEmpty ? .gap(.empty) : .collection(contributed))
            }
            guard let source = derived.source(of: key) else { return answer(.nothing) }
            key = source
        }
    }

    /// True for what is registered elsewhere, and for a collection of it to which nobody contributes here.
    ///
    /// What is provided has no name: a name that is missing is missing.
    func isProvided(_ type: Any.Type, to asked: Engine) -> Bool {
        guard let parts = Derivation(of: type)?.collected else {
            return provided.contains(ObjectIdentifier(type))
        }
        return asked.contributions(to: parts).isEmpty
            && [type, parts.type].contains { provided.contains(ObjectIdentifier($0)) }
    }

    /// How many steps up the container is that keeps an instance; nil for what none keeps, and where the scope is not
    /// open.
    func home(of node: Node) -> Int? {
        guard node.isOpened else { return node.isShared ? node.level : nil }
        let scope = engine.nearestOpenScope(of: node.registration)
        return chain.firstIndex { $0 === scope }
    }
}

extension Survey.Gap {
    /// A need that a resolution had, for which nothing is registered.
    init(_ kind: Kind, for key: ServiceKey, seenOf from: Int) {
        var source = key
        var isDeferred = false
        while let derived = Derivation(of: source.serviceType),
            let next = derived.source(of: source)
        {
            source = next
            isDeferred = isDeferred || derived.deferral != .none
        }
        let optional = source.serviceType as? any OptionalValue.Type
        self.init(
            from: from,
            key: key,
            type: optional?.wrappedType ?? source.serviceType,
            kind: kind,
            isDeferred: isDeferred,
            isDeclared: false
        )
    }
}

extension Survey.Edge {
    fileprivate var order: (Int, Int, Int, Int) {
        let rank = deferral == .none ? 0 : deferral.keeps ? 1 : 2
        return (from, to, isCompleting || isAround ? 1 : 0, rank)
    }
}
