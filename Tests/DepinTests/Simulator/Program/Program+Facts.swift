/// What can be said of a program before it runs.
extension Program {
    /// All that the program may register, with the service's number; contributions have none.
    private var registrations: [(service: Int?, recipe: Recipe)] {
        var all: [(service: Int?, recipe: Recipe)] = []
        for (service, recipe) in recipes.enumerated() { recipe.collect(as: service, &all) }
        for operation in setup + lanes.flatMap(\.operations) { operation.collect(&all) }
        return all
    }

    func hasErrand(where matches: (Errand) -> Bool) -> Bool {
        registrations.contains { _, recipe in
            recipe.atClose.contains(where: matches)
                || recipe.needs.contains { need in
                    if case .errand(let errand) = need { matches(errand) } else { false }
                }
        }
    }

    private var decorations: [Decoration] {
        setup.compactMap { operation in
            if case .decorate(_, _, let decoration) = operation { decoration } else { nil }
        }
    }

    /// Whether something may be kept weakly.
    var hasWeak: Bool { registrations.contains { $0.recipe.scope == .weak } }

    /// Whether nothing asks at once for what takes time.
    var awaitsWhatTakesTime: Bool {
        let all = registrations
        var requests = all.flatMap { $0.recipe.needs.compactMap(\.request) + $0.recipe.callback }
        for decoration in decorations { requests += decoration.needs }
        if decorations.contains(where: \.isAsync) { return false }
        let takingTime = Set(all.filter(\.recipe.isAsync).map(\.service))
        return requests.allSatisfy { request in
            request.way.isAsync || request.way.isLater || !takingTime.contains(request.service)
        }
    }

    /// Whether a callback, or a need that is not of a lower number, may lead back.
    var hasCircles: Bool {
        features.contains(.circles) || features.contains(.failures) || asksAtEnd
    }

    /// Whether instances ask for something when they expire.
    var asksAtEnd: Bool {
        let registers = features.contains(.busyFactories) && features.contains(.registering)
        return features.contains(.storages) && !lanes.isEmpty && !registers
    }

    /// Whether lanes register, reset or close, or factories do so.
    var changesInLanes: Bool {
        let operations = lanes.flatMap(\.operations)
        return features.contains(.busyFactories) || hasErrand(where: \.closes)
            || operations.contains {
                switch $0 {
                case .register, .unregister, .reset, .close: true
                default: false
                }
            }
    }

    /// The kinds of errors that can come up.
    var errorKinds: Set<String> {
        var kinds: Set<String> = ["notRegistered"]
        let all = registrations.map(\.recipe)
        let takesTime = all.contains(where: \.isAsync) || decorations.contains(where: \.isAsync)
        if takesTime { kinds.insert("needsAwait") }
        if all.contains(where: \.isMain) { kinds.insert("offMainActor") }
        if features.contains(.failures) { kinds.insert("factoryFailed") }
        if hasCircles { kinds.insert("circularDependency") }
        if all.contains(where: \.scope.isOpened) { kinds.formUnion(["noOpenScope", "captive"]) }
        let operations = setup + lanes.flatMap(\.operations)
        let closes = operations.contains {
            switch $0 {
            case .close, .closeDuring: true
            default: false
            }
        }
        if closes || hasErrand(where: { _ in true }) { kinds.insert("containerClosed") }
        return kinds
    }
}

extension Program.Operation {
    fileprivate func collect(_ all: inout [(service: Int?, recipe: Program.Recipe)]) {
        switch self {
        case .register(_, let service, let recipe), .override(_, let service, let recipe, _):
            recipe.collect(as: service, &all)
        case .contribute(_, let recipe): recipe.collect(as: nil, &all)
        default: break
        }
    }
}

extension Program.Recipe {
    fileprivate func collect(
        as service: Int?,
        _ all: inout [(service: Int?, recipe: Program.Recipe)]
    ) {
        all.append((service, self))
        for case .operation(let operation) in needs { operation.collect(&all) }
    }
}
