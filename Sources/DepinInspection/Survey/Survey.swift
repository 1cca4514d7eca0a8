import Depin

/// The registrations that a container can reach, and their needs.
struct Survey: Sendable {
    struct Edge: Hashable, Sendable {
        let from: Int
        let to: Int
        /// How many steps up the container is that makes the instance which has the need, unless a scope shares it.
        var maker = 0
        /// How many steps up the container is that is asked for the other one.
        var asked = 0
        let deferral: Deferral
        var isCompleting = false
        /// True if a child's decorator has the need, and not the decorated registration.
        var isAround = false
        /// True for a service of a scope that the registration opens itself.
        var isOfOwnScope = false
        let isDeclared: Bool
        /// True for a declared need of synchronous code for an asynchronous service.
        var isAwaited = false

        /// True if one registration needs the other while it is being built.
        var isDirect: Bool { !isDeferred && !isAround }
        var isDeferred: Bool { deferral != .none || isCompleting }

        /// Both ends, each as a use of a registration.
        fileprivate var ends: [Int] { [from, maker, to, asked] }

        /// The order of edges: by both ends, and then the plainest need first.
        fileprivate var order: (Int, Int, Int, String) {
            (from, to, isCompleting || isAround || isOfOwnScope ? 1 : 0, deferral.name)
        }
    }

    /// A need of a registration or of an `@Injected` property without a registration.
    struct Gap: Sendable {
        /// The number of the registration or the property.
        let from: Int
        let answer: Answer
        /// How many steps up the asked container is.
        var asked = 0
        var isDeclared = true

        /// The kind of a gap; a graph shows its name in place of a scope.
        enum Kind: Sendable {
            case missing
            /// A collection without contributions.
            case empty
            case provided
        }

        var kind: Kind { answer.gap ?? .missing }
        /// The type to register: `Feed` for a need of a `Lazy<Feed>`.
        var type: Any.Type { answer.key.serviceType }
        /// The missing service; it takes no arguments.
        var service: ServiceKey { ServiceKey(type, name: answer.need.name) }
        var isDeferred: Bool { answer.deferral != .none }
    }

    /// A registration, and how many steps up the container is that is asked for its needs.
    private struct Use: Hashable {
        let index: Int
        let asked: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private(set) var gaps: [Gap] = []
    /// The positions of the gaps of each registration or property.
    private var gapIndices: [Int: [ServiceKey: Int]] = [:]
    var injections: [Injection] = []
    let options: ValidationOptions

    let engine: Engine
    /// The surveyed container and its parents.
    let chain: [Engine]
    let provided: Set<ObjectIdentifier>
    private var indices: [UInt: Int] = [:]
    /// The registrations under each type.
    private var byType: [ObjectIdentifier: [Int]] = [:]

    init(of engine: Engine, _ options: ValidationOptions = ValidationOptions()) {
        self.engine = engine
        chain = Array(engine.chain)
        self.options = options
        provided = Set(options.provided.map { ObjectIdentifier($0) })
        for (level, engine) in chain.enumerated() {
            for slot in engine.registry.inOrder() {
                let (key, registration) = (slot.key.requested, slot.registration)
                let index = indices[registration.number] ?? nodes.count
                if index == nodes.count {
                    indices[registration.number] = index
                    // A child may forward to a registration of a parent.
                    let holder = engine.target(of: slot).holder
                    let level = chain.firstIndex { $0 === holder } ?? level
                    nodes.append(Node(registration: registration, level: level))
                }
                nodes[index].keys.append(key)
                byType[ObjectIdentifier(key.serviceType), default: []].append(index)
            }
        }
        declareNeeds()
        for property in options.injected where !property.isUnseen { addProperty(property) }
    }

    /// Adds the needs that the registrations declare.
    private mutating func declareNeeds() {
        // A shared instance is built with its own container's resolver, every other one with that of the asked
        // container: this one, or that of the shared instance that needs it.
        var uses = nodes.indices.filter { !yields(nodes[$0]) }
            .map { Use(index: $0, asked: home(of: nodes[$0]) ?? 0) }[...]
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

    /// The edges of a registration's declared needs; the gaps are noted.
    private mutating func declareNeeds(of use: Use) -> [Edge] {
        let (node, asked) = (nodes[use.index], chain[use.asked])
        let isAsync = node.registration.traits.contains(.isAsync)
        let isAwaited = node.isAsync(in: asked)
        return node.registration.declaredNeeds.flatMap { key in
            let answer = answer(to: key, by: asked)
            if answer.neededGap != nil {
                addGap(
                    Gap(from: use.index, answer: answer, asked: use.asked)
                )
            }
            let deferral = answer.deferral
            return answer.targets.map { target in
                // With asynchronous decorators alone, only what something shares is awaited before the factory.
                let canAwait =
                    deferral == .none
                    ? isAsync || isAwaited && nodes[target].kind != .transient : deferral.canAwait
                return Edge(
                    from: use.index,
                    to: target,
                    maker: use.asked,
                    asked: use.asked,
                    deferral: deferral,
                    isDeclared: true,
                    isAwaited: !canAwait && answer.takingTime.contains(target)
                )
            }
        }
    }

    /// Adds the needs that resolutions have shown.
    mutating func addNeeds(_ needs: [ObservedNeeds.Need]) {
        func index(of end: ObservedNeeds.End) -> Int? {
            // What was seen to need, or to be needed, may have been registered anew.
            indices[end.registration]
                ?? byType[ObjectIdentifier(end.key.serviceType)]?.first {
                    chain[nodes[$0].level].number == end.holder
                        && (nodes[$0].registration.key == end.key
                            || nodes[$0].keys.contains(end.key))
                }
        }
        func maker(of end: ObservedNeeds.End) -> Int {
            chain.firstIndex { $0.number == end.maker } ?? 0
        }
        var known = Set(edges.map(\.ends))
        let observed = needs.compactMap { need -> Edge? in
            guard let from = index(of: need.from), let to = index(of: need.to) else { return nil }
            return Edge(
                from: from,
                to: to,
                maker: maker(of: need.from),
                asked: maker(of: need.to),
                deferral: need.deferral,
                isCompleting: need.isCompleting,
                isAround: need.isAround,
                isOfOwnScope: need.isOfOwnScope,
                isDeclared: false
            )
        }
        // Of several needs between two registrations, the plainest is kept.
        edges += observed.sorted { $0.order < $1.order }
            .filter { known.insert($0.ends).inserted }
    }

    func index(of registration: Registration) -> Int? { indices[registration.number] }

    /// The registration that a step of an error's path names.
    func index(of step: ResolutionError.Step) -> Int? {
        let request = step.request
        return registered(request.serviceType) { $0.name == request.name }
            .first { nodes[$0].registration.place == step.registeredAt }
    }

    /// The registrations that have a certain key of a type.
    func registered(_ type: Any.Type, where isMeant: (ServiceKey) -> Bool) -> [Int] {
        (byType[ObjectIdentifier(type)] ?? []).filter { index in
            nodes[index].keys.contains { $0.serviceType == type && isMeant($0) }
        }
    }

    /// The registrations of a type; a contribution answers for collections only.
    func registered(_ type: Any.Type) -> [Int] {
        registered(type) { !$0.isContribution }
    }

    /// Adds a gap; of several between the same two, the plainest is kept.
    mutating func addGap(_ gap: Gap) {
        guard let known = gapIndices[gap.from]?[gap.service] else {
            gapIndices[gap.from, default: [:]][gap.service] = gaps.count
            return gaps.append(gap)
        }
        if gaps[known].isDeferred, !gap.isDeferred { gaps[known] = gap }
    }

    // MARK: - What a key leads to

    /// The answer to a request, as far as the types tell.
    struct Answer: Sendable {
        let need: ServiceKey
        /// The key that was looked for in the end: `Feed` for a `Lazy<Feed>`.
        var key: ServiceKey
        var deferral = Deferral.none
        var isOptional = false
        /// The registration that answers for the key.
        var registration: Int?
        /// That registration, or the contributions to a collection; none for a service that every container has.
        var targets: [Int] = []
        /// Those targets that are asynchronous for requests to the asked container.
        var takingTime: [Int] = []
        /// Why there are no targets.
        var gap: Gap.Kind?

        /// The gap, unless the need can do without a service.
        var neededGap: Gap.Kind? { gap == .provided || !isOptional ? gap : nil }
    }

    /// A container's answer to a key, as far as the types tell.
    func answer(to need: ServiceKey, by asked: Engine) -> Answer {
        var answer = Answer(need: need, key: need)
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
            // A derived service without a registered source has neither a name nor arguments, and only a registered one
            // has a scope to open.
            let source = answer.key.source
            guard answer.key.isDerived, answer.key.isTypeAlone || source != nil,
                answer.deferral != .scoped
            else {
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

    /// True for a service that is registered elsewhere, and for a collection of such services without contributions
    /// here.
    ///
    /// Provided services have no name, so a missing name is missing.
    func isProvided(_ type: Any.Type, to asked: Engine) -> Bool {
        guard let parts = ServiceKey(type).collected else {
            return provided.contains(ObjectIdentifier(type))
        }
        return asked.contributions(to: parts).isEmpty
            && [type, parts.type].contains { provided.contains(ObjectIdentifier($0)) }
    }
}
