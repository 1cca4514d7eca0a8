import Foundation

@testable import Depin

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
