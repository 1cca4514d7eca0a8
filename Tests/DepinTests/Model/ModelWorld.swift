import Foundation

@testable import Depin

/// An instance that knows how it came to be.
final class Node: Sendable {
    let service: Int
    let scope: ModelProgram.Scope
    /// The registration, numbered in the order in which they were made.
    let registration: Int
    /// The container that was asked, as the factory's resolver says.
    let asked: ObjectIdentifier
    let needs: [Node]
    /// False when its registration may not have had its scope and callbacks yet.
    let isJudged: Bool
    let completions = Shared()
    /// What the callback got; a circle of references, which the world cuts at the end.
    let later = Shared<[Node]>([])
    private let world: ModelWorld

    init(
        _ service: Int,
        _ scope: ModelProgram.Scope,
        _ registration: Int,
        _ asked: ObjectIdentifier,
        _ needs: [Node],
        in world: ModelWorld
    ) {
        self.service = service
        self.scope = scope
        self.registration = registration
        self.asked = asked
        self.needs = needs
        self.world = world
        isJudged = registration <= ModelThread.registrationsAtStart
        world.living.change { $0[ObjectIdentifier(self)] = WeakNode(node: self) }
    }

    deinit {
        world.living.change { $0[ObjectIdentifier(self)] = nil }
    }
}

struct WeakNode: @unchecked Sendable {  // The runtime guards weak references.
    weak var node: Node?
}

struct NodeName: ServiceName {
    let name: String
    init(_ service: Int) { name = "\(service)" }
}

/// Runs a program on its threads and judges all that they see.
final class ModelWorld: Sendable {
    let program: ModelProgram
    let expectation: ModelExpectation
    let living = Shared<[ObjectIdentifier: WeakNode]>([:])
    private let violations = Shared<[String]>([])
    /// The newest registration of each service in each container.
    private let newest: Shared<[ModelProgram.Place: [Int: Int]]> = Shared([:])
    private let registrations = Shared()
    private let resets = Shared<[ModelProgram.Scope: Int]>([:])
    /// What was handed out for each registration of a permanent scope.
    private let handedOut = Shared<[Int: [ObjectIdentifier: Node]]>([:])
    private let scopes: [ModelProgram.Scope: ObjectScope]

    init(_ program: ModelProgram) {
        self.program = program
        expectation = ModelExpectation(program.services)
        scopes = [
            .transient: .transient, .graph: .graph, .container: .container, .weak: .weak,
            .named: ObjectScope(named: "named"),
            .stored: ObjectScope(storageFactory: PermanentStorage.init, description: "stored"),
        ]
    }

    /// Runs the program; the result says what was wrong.
    func run() -> [String] {
        runThreads()
        handedOut.change { $0 = [:] }
        for node in living.value.values.compactMap(\.node) {
            let circle = node.later.change { later in
                defer { later = [] }
                return later
            }
            use(circle)
        }
        if !living.value.isEmpty { violations.change { $0.append("instances are left behind") } }
        return violations.value
    }

    private func runThreads() {
        let parent = Container()
        let child = Container(parent: parent)
        for index in program.services.indices { register(index, in: parent, .parent) }
        for index in program.overridden { register(index, in: child, .child) }
        // A thread may let go of its closure only after it has said that it ended.
        let containers = Shared<[ModelProgram.Place: Container]>([.parent: parent, .child: child])
        defer { containers.change { $0 = [:] } }
        let ended = DispatchSemaphore(value: 0)
        let start = Gate()
        for operations in program.threads {
            let thread = Thread {
                start.wait()
                ModelThread(self, containers.value).run(operations)
                ended.signal()
            }
            thread.stackSize = 1 << 21
            thread.start()
        }
        start.open()
        for _ in program.threads where ended.wait(timeout: .now() + 120) == .timedOut {
            fatalError("a thread of the program with the seed \(program.seed) does not end")
        }
    }

    func fail(_ text: String) {
        violations.change { $0.append(text) }
    }

    // MARK: - Registering

    func register(
        _ index: Int,
        in container: Container,
        _ place: ModelProgram.Place? = nil
    ) {
        // The order of the registrations is known only if nothing comes between.
        newest.change { newest in
            let number = registrations.count()
            let entry = container.register(Node.self, name: NodeName(index)) { [self] resolver in
                try make(index, number, resolver)
            }
            if let scope = scopes[program.services[index].scope] { entry.inObjectScope(scope) }
            if !program.services[index].completion.isEmpty || index % 2 == 0 {
                entry.initCompleted { [self] resolver, node in complete(node, resolver) }
            }
            if let place { newest[place, default: [:]][index] = number }
        }
    }

    /// The registration that a request made from now on finds, or a later one.
    func oldest(of index: Int, in place: ModelProgram.Place) -> Int {
        newest.change { newest in
            let parents = newest[.parent]?[index] ?? 0
            return place == .parent ? parents : newest[.child]?[index] ?? parents
        }
    }

    /// How many registrations have been made, with scope and callbacks.
    var registrationCount: Int { newest.change { _ in registrations.value } }

    func reset(_ scope: ModelProgram.Scope, in container: Container) {
        resets.change { $0[scope, default: 0] += 1 }
        if let scope = scopes[scope] { container.resetObjectScope(scope) }
    }

    private func make(_ index: Int, _ number: Int, _ resolver: any Resolver) throws -> Node {
        let service = program.services[index]
        let asked = ObjectIdentifier(try resolver.require(Container.self))
        let needs = try service.factory.map { needed in
            let node = try resolver.require(Node.self, name: NodeName(needed))
            judge(node, needed, neededBy: index, asked)
            return node
        }
        struct Broken: Error {}
        if service.fails { throw Broken() }
        return Node(index, service.scope, number, asked, needs, in: self)
    }

    private func complete(_ node: Node, _ resolver: any Resolver) {
        for needed in program.services[node.service].completion {
            guard let found = try? resolver.require(Node.self, name: NodeName(needed)) else {
                continue
            }
            judge(found, needed, neededBy: node.service, node.asked)
            node.later.change { $0.append(found) }
        }
        if node.completions.count() != 1 { fail("callbacks of \(node.service) ran twice") }
    }

    // MARK: - Judging

    private func hasCallback(_ index: Int) -> Bool {
        !program.services[index].completion.isEmpty || index % 2 == 0
    }

    /// What holds for all that a factory or a callback gets.
    private func judge(
        _ node: Node,
        _ index: Int,
        neededBy other: Int,
        _ asked: ObjectIdentifier
    ) {
        if node.service != index { fail("\(other) got \(node.service) for \(index)") }
        guard node.isJudged else { return }
        if !node.scope.isShared, node.asked != asked {
            fail("\(index), not shared, was made for another container than \(other)")
        }
        if hasCallback(index), node.completions.value == 0,
            !expectation.circles[index].contains(other)
        {
            fail("\(other) got \(index), no member of its circle, before it was complete")
        }
    }

    /// What holds for all that an outermost request gets.
    func judge(_ node: Node, _ index: Int, since oldest: Int) {
        if node.service != index { fail("got \(node.service) for \(index)") }
        if node.registration < oldest { fail("\(index) came from a registration that was over") }
        if node.isJudged, hasCallback(index), node.completions.value != 1 {
            fail("\(index), \(node.scope), is not complete")
        }
        judgeGraph(of: node)
    }

    /// One registration has one instance for each reset, and one more.
    func judgePermanence(of node: Node) {
        guard node.scope.isPermanent, node.isJudged else { return }
        let count = handedOut.change { handedOut in
            handedOut[node.registration, default: [:]][ObjectIdentifier(node)] = node
            return handedOut[node.registration]?.count ?? 0
        }
        if count > 1 + resets.change({ $0[node.scope] ?? 0 }) {
            fail("\(node.service) was built \(count) times")
        }
    }

    /// In one graph a registration has one instance, as far as factories and not callbacks see.
    private func judgeGraph(of root: Node) {
        var known: [Int: Node] = [:]
        var next = [root]
        var visited: Set<ObjectIdentifier> = []
        while let node = next.popLast() {
            guard visited.insert(ObjectIdentifier(node)).inserted else { continue }
            if node.scope == .graph, node.isJudged,
                let other = known.updateValue(node, forKey: node.registration), other !== node
            {
                fail("\(node.service) has two instances in a graph")
            }
            next += node.needs.filter { !$0.scope.isShared }
        }
    }

    func judge(_ error: any Error, _ index: Int) {
        guard let error = error as? ResolutionError else { return fail("\(error)") }
        switch error.reason {
        case .factoryFailed where expectation.outcomes[index] == .failure: break
        case .circularDependency where expectation.outcomes[index] != .success: break
        default: fail("\(index): \(error)")
        }
    }
}

/// One thread of a program.
private final class ModelThread {
    private let world: ModelWorld
    private let containers: [ModelProgram.Place: Container]
    private var held: [Node] = []

    init(_ world: ModelWorld, _ containers: [ModelProgram.Place: Container]) {
        self.world = world
        self.containers = containers
    }

    func run(_ operations: [ModelProgram.Operation]) {
        for operation in operations {
            Thread.current.threadDictionary[Self.key] = world.registrationCount
            run(operation)
        }
    }

    private static let key = "registrations at the start of the operation"

    /// The registrations that were there, with scope and callbacks, when this thread's operation
    /// began.
    static var registrationsAtStart: Int {
        Thread.current.threadDictionary[key] as? Int ?? 0
    }

    private func run(_ operation: ModelProgram.Operation) {
        switch operation {
        case .resolve(let place, let index):
            resolve(index, place)
        case .register(let place, let index):
            guard let container = containers[place] else { return }
            world.register(index, in: container, place)
        case .reset(let scope):
            guard let container = containers[.child] else { return }
            world.reset(scope, in: container)
        case .lazy(let place, let index):
            lazy(index, place)
        case .provider(let place, let index):
            provider(index, place)
        case .fork(let place, let index):
            fork(index, place)
        case .newChild(let index):
            newChild(index)
        case .injected(let place, let index):
            injected(index, place)
        case .overriding(let index):
            override(index)
        case .drop:
            held = []
        }
    }

    private func isSafe(_ index: Int) -> Bool { world.expectation.outcomes[index] == .success }

    private func resolve(_ index: Int, _ place: ModelProgram.Place) {
        guard let container = containers[place] else { return }
        let oldest = world.oldest(of: index, in: place)
        guard let node = require(index, container) else { return }
        world.judge(node, index, since: oldest)
        world.judgePermanence(of: node)
        guard node.isJudged else { return }
        if !node.scope.isShared, node.asked != ObjectIdentifier(container) {
            world.fail("\(index) was made for another container")
        }
        hold(node)
    }

    /// A weak instance that this thread holds is the one that everyone gets.
    private func hold(_ node: Node) {
        if node.scope == .weak, !world.changesAnything,
            let mine = held.first(where: { $0.registration == node.registration }), mine !== node
        {
            world.fail("\(node.service) is held and was built again")
        }
        held.append(node)
    }

    private func require(_ index: Int, _ resolver: any Resolver) -> Node? {
        do {
            let node = try resolver.require(Node.self, name: NodeName(index))
            if world.expectation.outcomes[index] == .failure {
                world.fail("\(index) was built although it cannot be")
            }
            return node
        } catch {
            world.judge(error, index)
            return nil
        }
    }

    private func lazy(_ index: Int, _ place: ModelProgram.Place) {
        guard isSafe(index), let container = containers[place] else { return }
        let lazy = container ~> (Lazy<Node>.self, name: NodeName(index))
        let oldest = world.oldest(of: index, in: place)
        let node = lazy.instance
        if lazy.instance !== node { world.fail("a Lazy has two instances") }
        world.judge(node, index, since: oldest)
        world.judgePermanence(of: node)
    }

    private func provider(_ index: Int, _ place: ModelProgram.Place) {
        guard isSafe(index), let container = containers[place] else { return }
        let provider = container ~> (Provider<Node>.self, name: NodeName(index))
        let oldest = world.oldest(of: index, in: place)
        let (one, other) = (provider.instance, provider.instance)
        world.judge(one, index, since: oldest)
        if one.isJudged, one === other, !one.scope.isShared {
            world.fail("a Provider has one instance")
        }
    }

    private func fork(_ index: Int, _ place: ModelProgram.Place) {
        guard let fork = containers[place]?.fork(), let node = require(index, fork) else { return }
        world.judge(node, index, since: 0)
        if containers.values.contains(where: { ObjectIdentifier($0) == node.asked }) {
            world.fail("a fork got \(index) of the original")
        }
        guard node.isJudged else { return }
        if node.scope.isPermanent || node.scope == .weak, require(index, fork) !== node {
            // A weak one is held here.
            world.fail("a fork has two instances of \(index)")
        }
    }

    private func newChild(_ index: Int) {
        guard let parent = containers[.parent] else { return }
        let child = Container(parent: parent)
        guard let node = require(index, child) else { return }
        world.judgePermanence(of: node)
        guard node.isJudged else { return }
        let owner = node.scope.isShared ? parent : child
        if node.asked != ObjectIdentifier(owner) { world.fail("\(index) has the wrong resolver") }
    }

    private func injected(_ index: Int, _ place: ModelProgram.Place) {
        guard isSafe(index), let container = containers[place] else { return }
        let oldest = world.oldest(of: index, in: place)
        let injected = withSpace(\.dependenciesContainer, container) {
            Injected<Node>(NodeName(index))
        }
        let node = injected.wrappedValue
        if injected.wrappedValue !== node { world.fail("an Injected has two instances") }
        world.judge(node, index, since: oldest)
        world.judgePermanence(of: node)
    }

    private func override(_ index: Int) {
        guard isSafe(index), let container = containers[.parent] else { return }
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { world.register(index, in: $0) }) {
                let oldest = world.oldest(of: index, in: .parent)
                let node = Injected<Node>(NodeName(index)).wrappedValue
                world.judge(node, index, since: 0)
                if node.registration < oldest, world.changesAnything == false {
                    world.fail("an override of \(index) has no effect")
                }
            }
        }
    }
}

extension ModelWorld {
    /// False where nothing is registered or reset while the threads run.
    var changesAnything: Bool {
        program.threads.joined().contains {
            switch $0 {
            case .register, .reset: true
            default: false
            }
        }
    }
}
