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
        /// True for what goes with a scope that the one has opened itself.
        var isOfOwnScope = false
        let isDeclared: Bool
        /// True for a declared need of synchronous code for what takes time to make.
        var isAwaited = false

        /// True where the one needs the other while it is being built.
        var isDirect: Bool { !isDeferred && !isAround }
        var isDeferred: Bool { deferral != .none || isCompleting }

        /// By the two, and of several needs between them the plainest first.
        fileprivate var order: (Int, Int, Int, Int) {
            let rank = deferral == .none ? 0 : deferral.keeps ? 1 : 2
            return (from, to, isCompleting || isAround || isOfOwnScope ? 1 : 0, rank)
        }
    }

    /// A need, of a registration or of an `@Injected` property, for which nothing is registered.
    struct Gap: Sendable {
        /// The registration or the property, by its number.
        let from: Int
        let kind: Kind
        let need: ServiceKey
        let answer: Answer
        /// How many steps up the container is that is asked.
        var asked = 0
        var isDeclared = true

        /// Its name is what a graph shows in the place of a scope.
        enum Kind: Sendable {
            case missing
            /// It is a collection to which nobody contributes.
            case empty
            case provided
        }

        /// What is to be registered: `Feed` for a need of a `Lazy<Feed>`.
        var type: Any.Type { answer.key.serviceType }
        /// What is missing; it takes no arguments.
        var service: ServiceKey { ServiceKey(type, name: need.name) }
        var isDeferred: Bool { answer.deferral != .none }
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
    /// What stands for properties that were not found.
    let unseen: [InjectedProperty]
    let roots: [Any.Type]
    /// The registrations of each type, without arguments.
    private(set) var registered: [ObjectIdentifier: [Int]] = [:]

    let engine: Engine
    /// The container that is looked at, and its parents.
    let chain: [Engine]
    let provided: Set<ObjectIdentifier>
    private var indices: [UInt: Int] = [:]
    /// The registrations of each type and name, whatever their arguments.
    private(set) var byService: [ServiceKey: [Int]] = [:]

    init(of engine: Engine, _ options: ValidationOptions = ValidationOptions()) {
        self.engine = engine
        chain = Array(engine.chain)
        roots = options.roots
        unseen = options.injected.filter(\.isUnseen)
        provided = Set(options.provided.map { ObjectIdentifier($0) })
        for (level, engine) in chain.enumerated() {
            for slot in engine.registry.slots {
                let (key, registration) = (slot.key.requested, slot.registration)
                let index = indices[registration.number] ?? nodes.count
                if index == nodes.count {
                    indices[registration.number] = index
                    nodes.append(Node(registration: registration, engine: engine, level: level))
                }
                nodes[index].keys.append(key)
                byService[ServiceKey(key.serviceType, name: key.name), default: []].append(index)
                // A contribution answers for its collections alone.
                if key.arguments == nil, !key.isContribution {
                    registered[ObjectIdentifier(key.serviceType), default: []].append(index)
                }
            }
        }
        declareNeeds()
        for property in options.injected where !property.isUnseen { addProperty(property) }
    }

    /// Adds the needs that the registrations declare.
    private mutating func declareNeeds() {
        // What is shared is built with its own container's resolver, all else with that of the one
        // that is asked: this one, or that of what is shared and needs it.
        var uses = nodes.indices.map { Use(index: $0, asked: home(of: nodes[$0]) ?? 0) }[...]
        var known = (uses: Set(uses), edges: Set<Edge>())
        while let use = uses.popFirst() {
            for edge in declareNeeds(of: use) {
                if known.edges.insert(edge).inserted { edges.append(edge) }
                let further = Use(index: edge.to, asked: use.asked)
                if !nodes[edge.to].isShared, known.uses.insert(further).inserted {
                    uses.append(further)
                }
            }
        }
    }

    /// What the declared needs of a registration lead to; what is not there is noted.
    private mutating func declareNeeds(of use: Use) -> [Edge] {
        let (node, asked) = (nodes[use.index], chain[use.asked])
        let isAsync = node.isAsync(in: asked)
        return node.registration.declaredNeeds.flatMap { key in
            let answer = answer(to: key, by: asked)
            if let kind = answer.neededGap {
                addGap(
                    Gap(from: use.index, kind: kind, need: key, answer: answer, asked: use.asked)
                )
            }
            let deferral = answer.deferral
            let canAwait = deferral == .none ? isAsync : deferral.canAwait
            return answer.targets.map {
                Edge(
                    from: use.index,
                    to: $0,
                    deferral: deferral,
                    isDeclared: true,
                    isAwaited: !canAwait && answer.takingTime.contains($0)
                )
            }
        }
    }

    /// Adds what resolutions have shown.
    mutating func addNeeds(_ needs: [ObservedNeeds.Need]) {
        var registrations: [UInt: [ServiceKey: Int]] = [:]
        for (index, node) in nodes.enumerated() {
            let holder = node.engine.number
            for key in [node.registration.key] + node.keys
            where registrations[holder]?[key] == nil {
                registrations[holder, default: [:]][key] = index
            }
        }
        var known = Set(edges.map { [$0.from, $0.to] })
        let observed = needs.compactMap { need -> Edge? in
            guard let from = registrations[need.fromHolder]?[need.from],
                let to = registrations[need.toHolder]?[need.to]
            else { return nil }
            return Edge(
                from: from,
                to: to,
                deferral: need.deferral,
                isCompleting: need.isCompleting,
                isAround: need.isAround,
                isOfOwnScope: need.isOfOwnScope,
                isDeclared: false
            )
        }
        // Of several needs between two, the plainest is kept.
        edges += observed.sorted { $0.order < $1.order }
            .filter { known.insert([$0.from, $0.to]).inserted }
    }

    func index(of registration: Registration) -> Int? { indices[registration.number] }

    /// The registration that an error's path names.
    func index(of step: ResolutionError.Step) -> Int? {
        let key = ServiceKey(step.request.serviceType, name: step.request.name)
        return byService[key]?.first { nodes[$0].registration.place == step.registeredAt }
    }

    /// Adds a gap, of several between the same two the plainest.
    mutating func addGap(_ gap: Gap) {
        guard let known = gapIndices[gap.from]?[gap.service] else {
            gapIndices[gap.from, default: [:]][gap.service] = gaps.count
            return gaps.append(gap)
        }
        if gaps[known].isDeferred, !gap.isDeferred { gaps[known] = gap }
    }

    // MARK: - What a key leads to

    /// What is found for a key, as far as the types tell.
    struct Answer: Sendable {
        /// What was looked for in the end: `Feed` for a `Lazy<Feed>`.
        var key: ServiceKey
        var deferral = Deferral.none
        var isOptional = false
        /// The registration that answers for the key.
        var registration: Int?
        /// That one, or the contributions to a collection; none, too, for what every container has.
        var targets: [Int] = []
        /// Those of them that are made asynchronously for who asks there.
        var takingTime: [Int] = []
        /// Why there are none.
        var gap: Gap.Kind?

        /// The gap, unless nobody minds that it is there.
        var neededGap: Gap.Kind? { gap == .provided || !isOptional ? gap : nil }
    }

    /// What a container gives for a key, as far as the types tell.
    func answer(to need: ServiceKey, by asked: Engine) -> Answer {
        var answer = Answer(key: need)
        func lead(to found: [Found]) {
            answer.targets = found.compactMap { index(of: $0.registration) }
            answer.takingTime = found.filter(\.isAsync).compactMap { index(of: $0.registration) }
        }
        while true {
            if let found = asked.find(answer.key) {
                lead(to: [found])
                answer.registration = answer.targets.first
                return answer
            }
            let type = answer.key.serviceType
            if need.name == nil, isProvided(type, to: asked) {
                answer.gap = .provided
                return answer
            }
            if let wrapped = answer.key.wrapped {
                answer.key = wrapped
                answer.isOptional = true
                continue
            }
            // What is made of nothing that is registered has no name.
            let source = answer.key.source
            guard answer.key.isDerived, need.name == nil || source != nil else {
                answer.gap = .missing
                return answer
            }
            let deferral = answer.key.deferral
            if deferral != .none { answer.deferral = deferral }
            if let parts = answer.key.collected {
                lead(to: asked.contributed(to: parts))
                answer.gap = answer.targets.isEmpty ? .empty : nil
                return answer
            }
            guard let source else { return answer }
            answer.key = source
        }
    }

    /// True for what is registered elsewhere, and for a collection of it to which nobody contributes here.
    ///
    /// What is provided has no name: a name that is missing is missing.
    func isProvided(_ type: Any.Type, to asked: Engine) -> Bool {
        guard let parts = ServiceKey(type).collected else {
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

    /// True for what cannot be built, since its scope is not open.
    func isUnopened(_ node: Node) -> Bool { node.isOpened && home(of: node) == nil }
}

extension Deferral {
    /// True where whoever has it keeps the service by it.
    var keeps: Bool {
        switch self {
        case .none, .lazy, .asyncLazy: true
        case .provider, .factory, .scoped: false
        }
    }

    /// True where the service can be awaited, so that synchronous code can have it without waiting.
    var canAwait: Bool {
        switch self {
        case .none, .lazy, .provider: false
        case .asyncLazy, .factory, .scoped: true
        }
    }
}
