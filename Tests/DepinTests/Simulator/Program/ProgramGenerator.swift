extension Program {
    /// The program of a seed, of some of the features.
    init(seed: UInt64, enabling enabled: Features = .all) {
        var generator = ProgramGenerator(seed: seed, enabled)
        self = generator.program()
    }
}

/// Makes a program from random numbers.
struct ProgramGenerator {
    private let seed: UInt64
    private(set) var random: SeededGenerator
    let features: Features
    /// For each service whether it takes an argument, which no registration of it changes.
    private var takesArgument: [Bool] = []

    init(seed: UInt64, _ enabled: Features) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        var features: Features = []
        for feature in Features.drawn where random.next() & 1 == 0 { features.insert(feature) }
        // A crossing is rare enough where both of its sides must be there.
        self.features = features.union(.crossings).intersection(enabled)
    }

    mutating func program() -> Program {
        var program = Program(seed: seed, features: features)
        let count = number(2...7)
        takesArgument = (0..<count).map { _ in has(.arguments) && isOne(in: 3) }
        program.recipes = (0..<count).map { recipe(of: $0) }
        program.setup = (0..<number(has(.lanes) ? 0...8 : 4...40)).map { _ in operation() }
        if has(.lanes) {
            let length = 1...number(2...10)
            program.lanes = (0..<number(2...8)).map { _ in
                let isTask = has(.async) && isOne(in: 2)
                let operations = (0..<number(length)).map { _ in laneOperation(isTask) }
                return Program.Lane(isTask: isTask, operations: operations)
            }
        }
        if has(.scopes) { addScopes(to: &program) }
        if has(.mainActor), has(.async), isOne(in: 2) { moveToMainActor(&program) }
        if has(.asyncDecorators), has(.async), isOne(in: 2) { slowDecorators(of: &program) }
        return program
    }

    /// Has some decorators of the app take time.
    private mutating func slowDecorators(of program: inout Program) {
        for index in program.setup.indices {
            guard case .decorate(_, let service, var decoration) = program.setup[index],
                isOne(in: 2)
            else { continue }
            decoration.isAsync = true
            program.setup[index] = .decorate(place: 0, service: service, decoration)
        }
    }

    /// Has some services of the app made on the main actor.
    private mutating func moveToMainActor(_ program: inout Program) {
        for index in program.recipes.indices where !program.recipes[index].isAsync {
            program.recipes[index].isMain = isOne(in: 3)
        }
    }

    // MARK: - Scopes

    /// Adds what takes several operations in a row, and would seldom come about.
    private mutating func addScopes(to program: inout Program) {
        // What has closers closes by the end, and a graph that is kept holds the scope.
        if has(.leftScopes), has(.deferral), !has(.closers), !has(.graphs) {
            add(
                [
                    .open(place: 0, isOne(in: 2) ? .session : .request),
                    .resolve(place: -1, request()), .leave(place: -1), .use(-1),
                ],
                to: &program
            )
        }
        // What a factory opens or registers where another container is overridden belongs to the override.
        if has(.visitedScopes), has(.deferral), has(.overrides), !has(.busyFactories) {
            for _ in 0..<number(1...3) {
                add([.visit(place: anyPlace(), anyPlace())], to: &program)
            }
        }
        if has(.closingCircles), has(.closingErrands), has(.closers), has(.async), has(.lanes) {
            addClosingCircle(to: &program)
        }
    }

    private mutating func add(_ operations: [Program.Operation], to program: inout Program) {
        let start = number(0...program.setup.count)
        program.setup.insert(contentsOf: operations, at: start)
    }

    /// Two scopes, which two tasks close, and each has what closes the other.
    private func addClosingCircle(to program: inout Program) {
        for (place, other) in [(-2, -1), (-1, -2)] {
            var recipe = Program.Recipe(scope: .request)
            recipe.closes = true
            recipe.atClose = [
                Program.Errand(operation: .close(place: other), moment: .awaited)
            ]
            let request = Program.Request(service: program.recipes.count, way: .require)
            program.recipes.append(recipe)
            program.setup.append(.open(place: 0, .request))
            program.setup.append(.resolve(place: -1, request))
            let closing = Program.Operation.close(place: place)
            program.lanes.append(Program.Lane(isTask: true, operations: [closing]))
        }
    }

    // MARK: - Choices

    func has(_ feature: Features) -> Bool { features.contains(feature) }

    /// Whether a crossing may be there: it is enabled, or one of its sides is not.
    func may(_ crossing: Features, with other: Features) -> Bool { !has(other) || has(crossing) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func isOne(in count: Int) -> Bool { number(1...count) == 1 }

    mutating func one<Element>(of choices: [Element]) -> Element {
        choices[number(0...choices.count - 1)]
    }

    mutating func anyService() -> Int { number(0...takesArgument.count - 1) }

    private mutating func anyScope() -> Program.Scope {
        one(
            of: Program.Scope.allCases.filter {
                ($0 != .stored && $0 != .expiring || has(.storages))
                    && (!$0.isOpened || has(.scopes))
            }
        )
    }

    // MARK: - Services

    /// A registration of the service, which needs services of lower numbers.
    private mutating func recipe(of service: Int, isContribution: Bool = false) -> Program.Recipe {
        var recipe = Program.Recipe(scope: anyScope())
        recipe.isAsync = !isContribution && has(.async) && isOne(in: 3)
        // A warm-up holds what a factory has unregistered, for as long as it runs.
        let mayUnregister = has(.busyFactories) && has(.registering)
        recipe.isEager = !isContribution && has(.warmUps) && !mayUnregister && isOne(in: 3)
        let takesArgument = !isContribution && takesArgument[service]
        recipe.takesArgument = takesArgument
        let canBeDerived = takesArgument && !recipe.scope.isUnshared
        recipe.isPerArguments = canBeDerived && isOne(in: 2)
        // Contributions need the lower half, and are needed by the upper one.
        let half = self.takesArgument.count / 2
        let limit = isContribution ? min(service, half) : service
        for other in 0..<limit where isOne(in: 2) {
            recipe.needs.append(.service(request(other, from: recipe)))
        }
        let mayCircle = !has(.callbacks) || may(.closersInCircles, with: .closers)
        if has(.failures), mayCircle, isOne(in: 12) {
            // A circle, unless it is broken by what is kept.
            let other = anyService()
            let request = Program.Request(
                service: other,
                argument: argument(for: other),
                way: recipe.isAsync && isOne(in: 2) ? .requireAsync : .require
            )
            recipe.needs.append(.service(request))
        }
        if has(.contributions), !isContribution, service >= half, isOne(in: 6) {
            recipe.needs.append(.collection)
        }
        if has(.busyFactories), isOne(in: 3), let operation = factoryOperation(service) {
            recipe.needs.append(.operation(operation))
        }
        if isOne(in: 4), let errand = factoryErrand(of: recipe) {
            recipe.needs.append(.errand(errand))
        }
        if has(.graphs), isOne(in: 6) { recipe.needs.append(.graph) }
        if has(.glances), limit > 0, isOne(in: 2) {
            let other = number(0...limit - 1)
            let way: Program.Way = recipe.isAsync && isOne(in: 2) ? .requireAsync : .require
            let glance = Program.Request(service: other, argument: argument(for: other), way: way)
            recipe.needs += [.glances(glance)]
        }
        recipe.needs.shuffle(using: &random)
        if has(.callbacks), isOne(in: 3) {
            let known =
                has(.circles) && may(.closersInCircles, with: .closers)
                ? self.takesArgument.count : limit
            recipe.callback = (0..<known).filter { _ in isOne(in: 4) }
                .map { Program.Request(service: $0, argument: argument(for: $0), way: .require) }
        }
        // Nobody says when what has expired closes.
        recipe.closes = has(.closers) && recipe.scope != .expiring && isOne(in: 2)
        if recipe.closes, isOne(in: 3), let errand = closerErrand() { recipe.atClose = [errand] }
        recipe.failures = has(.failures) && isOne(in: 6) ? 1 : 0
        recipe.pauses = has(.lanes) ? one(of: [0, 0, 1, 5, 30]) : 0
        return recipe
    }

    mutating func argument(for service: Int) -> Int? {
        takesArgument[service] ? number(0...1) : nil
    }

    private mutating func request(_ service: Int, from recipe: Program.Recipe) -> Program.Request {
        var ways: [Program.Way] = [.require, .require, .require, .view]
        if has(.deferral), !takesArgument[service] { ways += [.lazy, .provider] }
        if has(.deferral) { ways += [.resolver] }
        if has(.deferral), has(.async), !takesArgument[service] { ways.append(.asyncLazy) }
        if has(.properties), !takesArgument[service], may(.propertyNeeds, with: .closers) {
            ways.append(.property)
        }
        if recipe.isAsync { ways += [.requireAsync, .requireAsync, .requireAsync] }
        let way = one(of: ways)
        // A thread of the pool that waits for the turn may be the one that the turn needs.
        let maySerialize = way.isAsync || !has(.async)
        return Program.Request(
            service: service,
            argument: argument(for: service),
            way: way,
            isSerialized: maySerialize && isSerialized(way)
        )
    }

    private mutating func isSerialized(_ way: Program.Way) -> Bool {
        let canBe = way != .view && way != .resolver && way != .property
        return has(.serializedViews) && canBe && isOne(in: 2)
    }

    // `isTask` is nil where nothing else goes on.
    private mutating func request(isTask: Bool? = nil) -> Program.Request {
        let service = anyService()
        var ways: [Program.Way] = [.require, .require, .view]
        if has(.async), isTask != false { ways += [.requireAsync, .requireAsync, .requireAsync] }
        if has(.deferral), !takesArgument[service] { ways += [.lazy, .provider] }
        if has(.properties), !takesArgument[service] { ways.append(.property) }
        let way = one(of: ways)
        return Program.Request(
            service: service,
            argument: argument(for: service),
            way: way,
            isSerialized: (way.isAsync || isTask != true) && isSerialized(way)
        )
    }

    private mutating func asyncRequest() -> Program.Request {
        let service = anyService()
        return Program.Request(
            service: service,
            argument: argument(for: service),
            way: .requireAsync,
            isSerialized: isSerialized(.requireAsync)
        )
    }

    // MARK: - Operations

    private mutating func cancels() -> Bool { has(.cancellations) && isOne(in: 2) }

    mutating func anyPlace() -> Int { number(0...59) }

    private mutating func operation() -> Program.Operation {
        let (place, service) = (anyPlace(), anyService())
        var choices: [Program.Operation] = Array(
            repeating: .resolve(place: place, request()),
            count: 6
        )
        if has(.deferral) || has(.properties) {
            choices += Array(repeating: .use(anyPlace()), count: 4)
        }
        choices.append(.drop(anyPlace()))
        choices += changes(place, service)
        if has(.contributions) {
            choices += [.contribute(place: place, recipe(of: service, isContribution: true))]
            choices += [.collect(place: place), .collect(place: place)]
        }
        if has(.decorators) {
            choices.append(.decorate(place: place, service: service, decoration(of: service)))
        }
        if has(.children) { choices.append(.child(place: place)) }
        if has(.scopes) {
            let scope: Program.Scope = isOne(in: 2) ? .session : .request
            choices += [.open(place: place, scope), .open(place: place, scope)]
        }
        if has(.forks) { choices.append(.fork(place: place)) }
        if has(.closers) || has(.scopes) { choices.append(.close(place: place)) }
        if has(.closingDuringBuilds) {
            choices.append(.closeDuring(place: place, request()))
        }
        if has(.overrides) {
            let recipe = recipe(of: service)
            choices.append(.override(place: place, service: service, recipe, request()))
        }
        if has(.graphs) {
            let requests = (0..<number(1...3)).map { _ in request(isTask: false) }
            choices.append(.graph(place: place, requests))
        }
        if has(.validation), may(.validatedClosers, with: .closers), isOne(in: 2) {
            choices.append(.validate(place: place))
            if has(.async) { choices.append(.validateAsync(place: place, isCanceled: cancels())) }
        }
        if has(.warmUps) {
            choices.append(.warmUp(place: place, width: 1, isCanceled: cancels()))
        }
        if has(.cancellations), has(.async) {
            choices.append(.cancel(place: place, asyncRequest()))
        }
        if has(.guests) {
            choices += [.guests(place: place, anyScope()), .anything(place: place)]
            choices.append(.owner(place: place))
        }
        return one(of: choices)
    }

    private mutating func changes(_ place: Int, _ service: Int) -> [Program.Operation] {
        var choices: [Program.Operation] = []
        if has(.registering) {
            let recipe = recipe(of: service)
            choices.append(.register(place: place, service: service, recipe))
            choices.append(.unregister(place: place, service: service))
        }
        if has(.resets) { choices += [.reset(place: place, anyScope())] }
        return choices
    }

    private mutating func laneOperation(_ isTask: Bool) -> Program.Operation {
        let (place, service) = (anyPlace(), anyService())
        var choices: [Program.Operation] = Array(
            repeating: .resolve(place: place, request(isTask: isTask)),
            count: 8
        )
        choices += [.drop(anyPlace()), .use(anyPlace()), .use(anyPlace())]
        if has(.children) { choices.append(.child(place: place)) }
        if has(.forks) { choices.append(.fork(place: place)) }
        if has(.scopes) { choices.append(.open(place: place, isOne(in: 2) ? .session : .request)) }
        if may(.changesInLanes, with: .closers) { choices += changes(place, service) }
        if has(.contributions) { choices.append(.collect(place: place)) }
        if has(.warmUps), isTask {
            let width = number(1...4)
            choices.append(.warmUp(place: place, width: width, isCanceled: cancels()))
        }
        if has(.cancellations), isTask {
            choices += Array(repeating: .cancel(place: place, asyncRequest()), count: 3)
        }
        if has(.closingDuringBuilds), isTask { choices.append(.close(place: place)) }
        if has(.overrides) {
            let (recipe, request) = (recipe(of: service), request(isTask: false))
            choices.append(.override(place: place, service: service, recipe, request))
        }
        return one(of: choices)
    }

    private mutating func decoration(of service: Int) -> Program.Decoration {
        // What it needs may fail, too.
        let canFail = may(.failingDecorators, with: .closers)
        let needs = (0..<service).filter { _ in canFail && isOne(in: 4) }
            .map { Program.Request(service: $0, argument: argument(for: $0), way: .require) }
        let fails = has(.failures) && canFail && isOne(in: 4)
        return Program.Decoration(needs: needs, fails: fails)
    }

    /// What a factory does to the container that it is given.
    private mutating func factoryOperation(_ service: Int) -> Program.Operation? {
        var choices: [Program.Operation] = []
        if has(.children) { choices.append(.child(place: 0)) }
        if has(.scopes) { choices.append(.open(place: 0, isOne(in: 2) ? .session : .request)) }
        if has(.forks) { choices.append(.fork(place: 0)) }
        if has(.guests), !has(.lanes) { choices.append(.guests(place: 0, anyScope())) }
        // Which of two builds of one service is kept, where one was reset, nobody says.
        let isDecorated = has(.decorators) && has(.async) && !has(.decoratedResets)
        if !has(.circles), !isDecorated, may(.changesInFactories, with: .closers) {
            if has(.resets) { choices.append(.reset(place: 0, anyScope())) }
            if has(.registering), service > 0 {
                let other = number(0...service - 1)
                choices.append(.register(place: 0, service: other, recipe(of: other)))
                choices.append(.unregister(place: 0, service: other))
            }
        }
        return choices.isEmpty ? nil : one(of: choices)
    }
}
