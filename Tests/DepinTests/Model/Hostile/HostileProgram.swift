/// A random program of all that may be done to containers, on one thread.
///
/// Numbers that choose among what is there, a place or something held, are taken modulo their count.
struct HostileProgram {
    enum Scope: CaseIterable {
        case transient, graph, container, named, stored, graphStored, weak

        /// Built with the resolver of the container that holds the registration.
        var isShared: Bool { self != .transient && self != .graph }
        /// Keeps one instance until it is reset.
        var isPermanent: Bool { self == .container || self == .named || self == .stored }
    }

    /// What a factory takes of another service, always one with a smaller number.
    enum Need {
        case direct(Int)
        case lazy(Int)
        case provider(Int)
        case closure(Int)
        case property(Int)
        /// Uses the resolver some time after it has returned.
        case late(Int)
        /// Registers something in a scope, asks for it and removes it again, several times.
        case meddling(Scope)
        /// Keeps its graph.
        case graph
    }

    struct Recipe {
        var scope: Scope
        var needs: [Need]
        /// Asked for by `initCompleted`, which goes on without it.
        var callback: Int?
    }

    indirect enum Operation {
        case register(Int, service: Int, Recipe)
        case unregister(Int, service: Int)
        case reset(Int, Scope)
        case resolve(Int, service: Int)
        case child(Int)
        case fork(Int)
        case closePlace(Int)
        case screen(Int, service: Int, overriding: [(service: Int, recipe: Recipe)])
        case resolveInSpace(Int, service: Int, overriding: [(service: Int, recipe: Recipe)])
        case use(Int)
        case drop(Int)
        case validate(Int)
        case owned(Int, Recipe)
        case newGraph
        case inGraph(Int, graph: Int, service: Int)
        case meddleInGraph(Int, graph: Int, Scope)
        case askForAnything(Int)
    }

    /// A program has some, so that what one finds does not hide what another would.
    enum Feature: CaseIterable {
        case deferral, properties, spaces, validation, meddling, owners, graphs, anything, late,
            levels, changes
    }

    let seed: UInt64
    let features: Set<Feature>
    private(set) var serviceCount = 0
    private(set) var recipes: [Recipe] = []
    private(set) var operations: [Operation] = []

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        features = Set(Feature.allCases.filter { _ in Bool.random(using: &random) })
        serviceCount = Int.random(in: 2...6, using: &random)
        recipes = (0..<serviceCount).map { recipe(for: $0, &random) }
        operations = (0..<Int.random(in: 5...40, using: &random)).map { _ in operation(&random) }
    }

    private func recipe(for service: Int, _ random: inout SeededGenerator) -> Recipe {
        var needs: [Need] = []
        for other in 0..<service where Int.random(in: 0..<2, using: &random) == 0 {
            let kinds: [(Feature?, Need)] = [
                (nil, .direct(other)), (.deferral, .lazy(other)), (.deferral, .provider(other)),
                (.deferral, .closure(other)), (.properties, .property(other)),
                (.late, .late(other)),
            ]
            let known = kinds.filter { $0.0.map(features.contains) ?? true }
            if let need = known.randomElement(using: &random) { needs.append(need.1) }
        }
        if features.contains(.late), Int.random(in: 0..<12, using: &random) == 0 {
            needs.append(.late(serviceCount))  // Nothing is registered for it.
        }
        if features.contains(.meddling), Int.random(in: 0..<3, using: &random) == 0 {
            needs.append(.meddling(Scope.allCases.randomElement(using: &random) ?? .graph))
        }
        if features.contains(.graphs), Int.random(in: 0..<4, using: &random) == 0 {
            needs.append(.graph)
        }
        let hasCallback = Int.random(in: 0..<6, using: &random) == 0
        return Recipe(
            scope: Scope.allCases.randomElement(using: &random) ?? .graph,
            needs: needs.shuffled(using: &random),
            callback: hasCallback ? Int.random(in: 0..<serviceCount, using: &random) : nil
        )
    }

    private func operation(_ random: inout SeededGenerator) -> Operation {
        let (place, other) = (
            Int.random(in: 0..<60, using: &random), Int.random(in: 0..<60, using: &random)
        )
        let service = Int.random(in: 0..<serviceCount, using: &random)
        let recipe = recipe(for: service, &random)
        let overriding = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            let service = Int.random(in: 0..<serviceCount, using: &random)
            return (service: service, recipe: self.recipe(for: service, &random))
        }
        var known: [Operation] = [
            .resolve(place, service: service), .resolve(place, service: service), .use(other),
            .use(other), .drop(other),
        ]
        func add(_ feature: Feature, _ operations: Operation...) {
            if features.contains(feature) { known += operations }
        }
        let scope = Scope.allCases.randomElement(using: &random) ?? .named
        add(.changes, .register(place, service: service, recipe), .reset(place, scope))
        add(.changes, .unregister(place, service: service))
        add(.levels, .child(place), .fork(place), .closePlace(place))
        add(.spaces, .screen(place, service: service, overriding: overriding))
        add(.spaces, .resolveInSpace(place, service: service, overriding: overriding))
        add(.validation, .validate(place))
        add(.owners, .owned(place, recipe))
        add(.graphs, .newGraph, .inGraph(place, graph: other, service: service))
        if features.contains(.meddling) {
            add(.graphs, .meddleInGraph(place, graph: other, scope))
        }
        add(.anything, .askForAnything(place))
        return known.randomElement(using: &random) ?? .use(other)
    }
}
