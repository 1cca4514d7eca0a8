import Depin

/// The registrations that a container can reach, and which of them needs which.
struct Survey: Sendable {
    struct Edge: Hashable, Sendable {
        let from: Int
        let to: Int
        let deferral: Deferral
        let isCompleting: Bool
        /// True where a child's decorator has the need, and not what that is around.
        let isAround: Bool
        let isDeclared: Bool

        /// True where it is had without waiting, now or later.
        var isSynchronous: Bool { !deferral.canAwait }
        /// True where the one needs the other while it is being built.
        var isDirect: Bool { !isDeferred && !isAround }
        var isDeferred: Bool { deferral != .none || isCompleting }
    }

    /// A need for which nothing is registered.
    struct Gap: Sendable {
        let from: Int
        let key: ServiceKey
        /// What is to be registered: `Feed` for a need of a `Lazy<Feed>`.
        let type: Any.Type
        /// The container that is asked.
        let asked: Engine
        let isDeferred: Bool
        let isProvided: Bool
        let isDeclared: Bool

        struct Identity: Hashable {
            let from: Int
            let type: ObjectIdentifier
            let name: String?
        }

        var identity: Identity {
            Identity(from: from, type: ObjectIdentifier(type), name: key.name)
        }
    }

    /// A need that a resolution had, for which nothing is registered.
    struct Miss: Hashable, Sendable {
        /// The number of the registration that needs it.
        let from: UInt
        let key: ServiceKey
        let isProvided: Bool
    }

    /// A registration, and the container that is asked for what it needs.
    private struct Use: Hashable {
        let index: Int
        let asked: Engine

        static func == (left: Use, right: Use) -> Bool {
            left.index == right.index && left.asked === right.asked
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(index)
        }
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [Edge] = []
    private(set) var gaps: [Gap] = []
    /// Where the gaps stand.
    private var gapIndices: [Gap.Identity: Int] = [:]
    var empties: [EmptyCollection] = []
    private(set) var injections: [Injection] = []
    let roots: [Any.Type]
    /// The registrations of each type, without arguments, and those of them that have a name.
    private(set) var registered: [ObjectIdentifier: [Int]] = [:]
    private(set) var named: [ObjectIdentifier: [Int]] = [:]

    let engine: Engine
    let provided: Set<ObjectIdentifier>
    private var declared: Set<Edge> = []
    private var uses: [Use] = []
    private var knownUses: Set<Use> = []
    private(set) var indices: [UInt: Int] = [:]
    /// The registrations of each type and name, whatever their arguments.
    private var byService: [ServiceKey: [Int]] = [:]

    init(
        of engine: Engine,
        providing provided: [Any.Type] = [],
        injected: [InjectedProperty] = [],
        roots: [Any.Type] = []
    ) {
        self.engine = engine
        self.roots = roots
        self.provided = Set(provided.map { ObjectIdentifier($0) })
        for (level, engine) in engine.chain.enumerated() {
            for slot in engine.registry.slots {
                let (registered, registration) = (slot.key, slot.registration)
                let key = registered.requested
                if let index = indices[registration.number] {
                    nodes[index].keys.append(key)
                } else {
                    indices[registration.number] = nodes.count
                    nodes.append(
                        Node(registration: registration, engine: engine, level: level, keys: [key])
                    )
                }
            }
        }
        // What is shared is built with its own container's resolver, all else with that of the one
        // that is asked: this one, or that of what is shared and needs it.
        for index in nodes.indices {
            add(Use(index: index, asked: nodes[index].home(in: engine) ?? engine))
        }
        var next = 0
        while next < uses.count {
            let use = uses[next]
            for dependency in nodes[use.index].registration.declaredNeeds {
                declare(use.index, needs: dependency, of: use.asked)
            }
            next += 1
        }
        for (index, node) in nodes.enumerated() {
            let service = ServiceKey(
                node.registration.serviceType,
                name: node.registration.key.name
            )
            // The request without a name is not one for any.
            if !node.registration.key.isForAnyName {
                byService[service, default: []].append(index)
            }
            // A contribution answers for its collections alone.
            for key in node.keys where key.arguments == nil && !key.isContribution {
                registered[ObjectIdentifier(key.serviceType), default: []].append(index)
                guard key.name != nil else { continue }
                named[ObjectIdentifier(key.serviceType), default: []].append(index)
            }
        }
        injections = injected.map { injection(for: $0) }
    }

    private mutating func add(_ use: Use) {
        if knownUses.insert(use).inserted {
            uses.append(use)
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
    func hasRegistration(_ number: UInt) -> Bool { indices[number] != nil }

    /// The number of the registration that an error's path names.
    func number(of step: ResolutionError.Step) -> UInt? {
        let key = ServiceKey(step.request.serviceType, name: step.request.name)
        return byService[key, default: []].lazy.map { nodes[$0].registration }
            .first { $0.place == step.registeredAt }?.number
    }

    /// Adds a need that was seen, for which nothing is registered.
    mutating func add(_ miss: Miss) {
        guard let index = indices[miss.from] else { return }
        var key = miss.key
        var isDeferred = false
        while let derived = Derivation(of: key.serviceType), let source = derived.source(of: key) {
            key = source
            isDeferred = isDeferred || derived.deferral != .none
        }
        var type = key.serviceType
        if let optional = type as? any OptionalValue.Type { type = optional.wrappedType }
        note(
            Gap(
                from: index,
                key: miss.key,
                type: type,
                asked: engine,
                isDeferred: isDeferred,
                isProvided: miss.isProvided,
                isDeclared: false
            )
        )
    }

    // MARK: - Declared needs

    private mutating func declare(_ index: Int, needs dependency: ServiceKey, of asked: Engine) {
        var key = dependency
        var deferral = Deferral.none
        var isOptional = false
        var isProvided = false
        while true {
            if let found = asked.find(key) {
                return declare(index, needs: found, deferral, of: asked)
            }
            let type = key.serviceType
            isProvided = dependency.name == nil && self.isProvided(type, to: asked)
            if isProvided { break }
            if let optional = type as? any OptionalValue.Type {
                key = key.with(optional.wrappedType)
                isOptional = true
                continue
            }
            guard let derived = Derivation(of: type) else { break }
            // What is made of nothing that is registered has no name.
            guard dependency.name == nil || derived.source != nil else { break }
            if derived.deferral != .none { deferral = derived.deferral }
            if let collected = derived.collected {
                let need = Collection(type: type, parts: collected, deferral: deferral)
                return declare(index, needs: need, of: asked, isOptional: isOptional)
            }
            guard let source = derived.source(of: key) else { return }
            key = source
        }
        if isProvided || !isOptional {
            note(
                Gap(
                    from: index,
                    key: dependency,
                    type: key.serviceType,
                    asked: asked,
                    isDeferred: deferral != .none,
                    isProvided: isProvided,
                    isDeclared: true
                )
            )
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

    mutating func declare(
        _ index: Int,
        needs found: Found,
        _ deferral: Deferral,
        of asked: Engine
    ) {
        guard let target = indices[found.registration.number] else { return }
        let edge = Edge(
            from: index,
            to: target,
            deferral: deferral,
            isCompleting: false,
            isAround: false,
            isDeclared: true
        )
        if declared.insert(edge).inserted {
            edges.append(edge)
        }
        if !nodes[target].isShared {
            add(Use(index: target, asked: asked))
        }
    }

    /// Notes a gap, of several between the same two the plainest.
    private mutating func note(_ gap: Gap) {
        guard let known = gapIndices[gap.identity] else {
            gapIndices[gap.identity] = gaps.count
            return gaps.append(gap)
        }
        if gaps[known].isDeferred, !gap.isDeferred {
            gaps[known] = gap
        }
    }
}

extension Survey.Edge {
    fileprivate var order: (Int, Int, Int, Int) {
        let rank = deferral == .none ? 0 : deferral.keeps ? 1 : 2
        return (from, to, isCompleting || isAround ? 1 : 0, rank)
    }
}
