import Depin
import DepinInspection
import Testing

extension ObjectScope {
    fileprivate static let login = ObjectScope(named: "login")
    fileprivate static let visit = ObjectScope(opened: "visit")
    fileprivate static let kept = ObjectScope(
        storageFactory: PermanentStorage.init,
        description: "kept"
    )
}

struct `One instance for each value of the arguments` {
    private static let scopes: [ObjectScope] = [.container, .weak, .login, .kept]

    private let container = Container()
    private let built = EventLog<Int>()

    private func register(_ scope: ObjectScope, in container: Container? = nil) {
        let built = built
        (container ?? self.container).register(Chat.self) { (_, id: Int) in
            built.note(id)
            return Chat(id)
        }
        .inObjectScope(scope.perArguments)
    }

    // MARK: Circles

    //  Chat ──► Cache ··► Chat       (··► in initCompleted)
    @Test(arguments: scopes) func `is the first that a circle made, though a reset came between`(
        _ scope: ObjectScope
    ) throws {
        let inner = EventLog<Chat>()
        container.register(Chat.self) { [built, container] (r, id: Int) in
            built.note(id)
            container.resetObjectScope(scope)
            use(r ~> Cache.self)
            return Chat(id)
        }
        .inObjectScope(scope.perArguments)
        container.register(Cache.self) { Cache() }
            .initCompleted { r, _ in inner.note(r ~> (Chat.self, argument: 1)) }
        let chat = container ~> (Chat.self, argument: 1)
        #expect(built.all == [1, 1])
        #expect(inner.all.first === chat)
    }

    // MARK: Lifetime

    enum Removal: CaseIterable {
        case all, unregistered, replaced
    }

    @Test(arguments: scopes, Removal.allCases)
    func `goes with its registration and the factory`(
        scope: ObjectScope,
        removal: Removal
    ) throws {
        weak var captured: EventLog<Int>?
        weak var chat: Chat?
        do {
            let log = EventLog<Int>()
            container.register(Chat.self) { (_, id: Int) in
                log.note(id)
                return Chat(id)
            }
            .inObjectScope(scope.perArguments)
            captured = log
            chat = try container.require(Chat.self, argument: 1)
        }
        switch removal {
        case .all: container.removeAll()
        case .unregistered: container.unregister(Chat.self)
        case .replaced: register(scope)
        }
        #expect(chat == nil)
        #expect(captured == nil)
    }

    @Test func `is closed as it was to be, also where its registration goes meanwhile`()
        async throws
    {
        let (container, closed) = (container, EventLog<Int>())
        container.register(Chat.self) { (_, id: Int) in Chat(id) }
            .inObjectScope(.container.perArguments)
            .onClose { chat in
                container.unregister(Chat.self)
                closed.note(chat.id)
            }
        for id in 1...3 { _ = try container.require(Chat.self, argument: id) }
        try await container.close()

        #expect(closed.all == [3, 2, 1])
    }

    // MARK: Sharing

    @Test(arguments: scopes)
    func `is built once and given to all`(scope: ObjectScope) throws {
        register(scope)
        let first = try container.require(Chat.self, argument: 1)
        let other = try container.require(Chat.self, argument: 2)

        #expect(try container.require(Chat.self, argument: 1) === first)
        #expect(try container.require(Chat.self, argument: 2) === other)
        #expect(first !== other)
        #expect(built.all == [1, 2])
    }

    @Test func `is told apart by all of the arguments, by value`() throws {
        container.register(Chat.self) { (_, _: Room, _: Int?) in Chat(0) }
            .inObjectScope(.container.perArguments)
        func chat(_ room: String, _ number: Int?) throws -> Chat {
            try container.require(Chat.self, arguments: Room(name: room), number)
        }

        #expect(try chat("a", nil) === chat("a", nil))
        #expect(try chat("a", nil) !== chat("b", nil))
        #expect(try chat("a", nil) !== chat("a", 1))
        #expect(try chat("a", 1) === chat("a", 1))
    }

    @Test func `is told apart where hashes are the same`() throws {
        container.register(Chat.self) { (_, colliding: Colliding) in Chat(colliding.id) }
            .inObjectScope(.container.perArguments)
        let chats = try (0..<5).map {
            try container.require(Chat.self, argument: Colliding(id: $0))
        }

        #expect(chats.map(\.id) == [0, 1, 2, 3, 4])
        #expect(try container.require(Chat.self, argument: Colliding(id: 3)) === chats[3])
    }

    @Test func `is one where there are no arguments`() throws {
        container.register(Chat.self) { Chat(0) }.inObjectScope(.container.perArguments)

        #expect(try container.require(Chat.self) === container.require(Chat.self))
        container.resetObjectScope(.container)
        try container.validate()
    }

    @Test func `is shared with children and further types`() throws {
        container.register(Chat.self) { (_, id: Int) in Chat(id) }
            .inObjectScope(.container.perArguments)
            .implements((any Talk).self)
        let child = Container(parent: container)

        #expect(
            try child.require((any Talk).self, argument: 1)
                === container.require(Chat.self, argument: 1)
        )
    }

    @Test func `has its callbacks once`() throws {
        let completed = EventLog<Int>()
        container.register(Chat.self) { (_, id: Int) in Chat(id) }
            .inObjectScope(.weak.perArguments)
            .initCompleted { _, chat in completed.note(chat.id) }
        let chats = try [1, 2, 1, 2].map { try container.require(Chat.self, argument: $0) }

        #expect(chats.count == 4)
        #expect(completed.all == [1, 2])
    }

    @Test func `is decorated once`() throws {
        let wrapped = EventLog<Int>()
        register(.container)
        container.decorate(Chat.self) { _, chat in
            wrapped.note(chat.id)
            return Chat(chat.id + 10)
        }
        let child = Container(parent: container)
        child.decorate(Chat.self) { _, chat in Chat(chat.id + 100) }

        #expect(try container.require(Chat.self, argument: 1).id == 11)
        #expect(try child.require(Chat.self, argument: 1).id == 111)
        #expect(
            try child.require(Chat.self, argument: 1) === child.require(Chat.self, argument: 1)
        )
        #expect(try child.require(Chat.self, argument: 2).id == 112)
        #expect(wrapped.all == [1, 2])
    }

    @Test func `is built anew in a fork and in an override`() throws {
        register(.container)
        let first = try container.require(Chat.self, argument: 1)
        let fork = container.fork()

        #expect(try fork.require(Chat.self, argument: 1) !== first)
        #expect(try fork.require(Chat.self, argument: 1) === fork.require(Chat.self, argument: 1))
        #expect(try container.require(Chat.self, argument: 1) === first)
    }

    @Test func `may take time to make`() async throws {
        container.register(
            Thread.self,
            asyncFactory: { (_, id: Int) in
                await Task.yield()
                return Thread(id: id)
            }
        )
        .inObjectScope(.container.perArguments)
        let (container, one) = (
            container, try await container.requireAsync(Thread.self, argument: 1)
        )
        let all = try await withThrowingTaskGroup(of: Thread.self) { group in
            for id in [1, 2, 1, 2] {
                group.addTask { try await container.requireAsync(Thread.self, argument: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(Set(all.map { ObjectIdentifier($0) }).count == 2)
        #expect(all.contains { $0 === one })
        #expect(try container.require(Thread.self, argument: 1) === one)
    }

    @Test func `is closed once, with its scope or with the container`() async throws {
        let closed = EventLog<Int>()
        container.register(Thread.self) { (_, id: Int) in Thread(id: id) }
            .inObjectScope(.login.perArguments)
            .onClose { thread in closed.note(thread.id) }
        for id in [1, 2, 1] { use(try container.require(Thread.self, argument: id)) }
        try await container.close(.login)
        #expect(closed.all.sorted() == [1, 2])

        use(try container.require(Thread.self, argument: 3))
        try await container.close()
        #expect(closed.all.sorted() == [1, 2, 3])
    }

    @Test func `has what was added to its registration since the last one went`() throws {
        register(.weak)
        weak let chat = try container.require(Chat.self, argument: 1)
        #expect(chat == nil)
        container.decorate(Chat.self) { _, chat in Chat(chat.id + 10) }

        #expect(try container.require(Chat.self, argument: 1).id == 11)
    }

    @Test func `is one for each open scope`() throws {
        register(.visit)
        let (one, other) = (container.openScope(.visit), container.openScope(.visit))
        let chat = try one.require(Chat.self, argument: 1)

        #expect(try one.require(Chat.self, argument: 1) === chat)
        #expect(try one.require(Chat.self, argument: 2) !== chat)
        #expect(try other.require(Chat.self, argument: 1) !== chat)
        #expect(throws: ResolutionError.self) { try container.require(Chat.self, argument: 1) }
        one.resetObjectScope(.visit, serviceType: Chat.self, argument: 1)
        #expect(try one.require(Chat.self, argument: 1) !== chat)
    }

    @Test func `is built again after its factory has failed`() throws {
        let fails = EventLog<Bool>()
        container.register(Chat.self) { (_, id: Int) in
            if fails.all.isEmpty { throw Busy() }
            return Chat(id)
        }
        .inObjectScope(.container.perArguments)
        #expect(throws: ResolutionError.self) { try container.require(Chat.self, argument: 1) }
        fails.note(false)

        #expect(
            try container.require(Chat.self, argument: 1)
                === container.require(Chat.self, argument: 1)
        )
    }

    // MARK: Going back

    @Test func `may need another, and itself in its callbacks`() throws {
        container.register(Chat.self) { (r, id: Int) in
            Chat(id, before: id > 1 ? r ~> (Chat.self, argument: id - 1) : nil)
        }
        .inObjectScope(.container.perArguments)
        .initCompleted { r, chat in chat.again = r.resolve(Chat.self, argument: chat.id) }
        defer { container.removeAll() }
        let third = try container.require(Chat.self, argument: 3)

        #expect(third.before?.before?.id == 1)
        #expect(third.again === third)
        #expect(try container.require(Chat.self, argument: 2) === third.before)
        container.resetObjectScope(.container)
        third.again = nil
        third.before?.again = nil
        third.before?.before?.again = nil
    }

    @Test func `is circular where it needs itself`() {
        container.register(Chat.self) { (r, id: Int) in
            Chat(id, before: try r.require(Chat.self, argument: id))
        }
        .inObjectScope(.container.perArguments)

        let error = #expect(throws: ResolutionError.self) {
            try container.require(Chat.self, argument: 1)
        }
        #expect(error?.reason == .circularDependency)
    }

    @Test func `does not need others without end`() {
        container.register(Chat.self) { (r, id: Int) in
            Chat(id, before: try r.require(Chat.self, argument: id + 1))
        }
        .inObjectScope(.weak.perArguments)

        let error = #expect(throws: ResolutionError.self) {
            try container.require(Chat.self, argument: 1)
        }
        #expect(error?.reason == .recursionTooDeep)
        #expect(error?.path.count == 100)
    }

    // MARK: Resets

    /// The others make the container look for what is idle, while the child's decorator waits.
    @Test(arguments: scopes)
    func `is made anew after a reset, also where a child decorates it and has many others`(
        scope: ObjectScope
    ) async throws {
        let (isMaking, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Thread.self,
            asyncFactory: { [built] (_, id: Int) in
                built.note(id)
                if id == 0 {
                    isMaking.open()
                    await goOn.wait()
                }
                return Thread(id: id)
            }
        )
        .inObjectScope(scope.perArguments)
        let child = Container(parent: container)
        child.decorate(Thread.self) { _, inner in Thread(id: inner.id) }
        async let first = child.requireAsync(Thread.self, argument: 0)
        await isMaking.wait()
        for id in 1..<20 { use(try await child.requireAsync(Thread.self, argument: id)) }
        child.resetObjectScope(scope)
        goOn.open()
        let before = try await first
        let after = try await child.requireAsync(Thread.self, argument: 0)

        #expect(built.all.count { $0 == 0 } == 2)
        #expect(try await child.requireAsync(Thread.self, argument: 0) === after)
        withExtendedLifetime(before) {}
    }

    @Test(arguments: scopes)
    func `goes with a reset of the scope or of its form`(scope: ObjectScope) throws {
        register(scope)
        let chat = try container.require(Chat.self, argument: 1)
        container.resetObjectScope(scope)
        let second = try container.require(Chat.self, argument: 1)
        container.resetObjectScope(scope.perArguments)
        let third = try container.require(Chat.self, argument: 1)

        #expect(Set([chat, second, third].map(ObjectIdentifier.init)).count == 3)
        #expect(try container.require(Chat.self, argument: 1) === third)
    }

    @Test func `stays with a reset of another scope, and others with one of the form`() throws {
        register(.container)
        container.register(Room.self) { Room(name: "plain") }.inObjectScope(.login)
        container.register(Cache.self) { Cache() }.inObjectScope(.container)
        let (chat, cache) = try (
            container.require(Chat.self, argument: 1), container.require(Cache.self)
        )
        container.resetObjectScope(.login)
        #expect(try container.require(Chat.self, argument: 1) === chat)

        container.resetObjectScope(.container.perArguments)
        #expect(try container.require(Cache.self) === cache)
        #expect(try container.require(Chat.self, argument: 1) !== chat)
    }

    @Test func `goes alone with a reset of its arguments`() throws {
        register(.container)
        container.register(Chat.self, name: "a") { (_, room: Room, id: Int) in Chat(id) }
            .inObjectScope(.container.perArguments)
        container.register(Cache.self) { (_, _: Int) in Cache() }.inObjectScope(.container)
        let child = Container(parent: container)
        let (one, two) = try (
            child.require(Chat.self, argument: 1), child.require(Chat.self, argument: 2)
        )
        let room = Room(name: "room")
        let named = try container.require(Chat.self, name: "a", arguments: room, 1)
        let cache = try container.require(Cache.self, argument: 1)

        child.resetObjectScope(.container, serviceType: Chat.self, argument: 1)
        child.resetObjectScope(.weak, serviceType: Chat.self, argument: 2)
        child.resetObjectScope(.container, serviceType: Cache.self, argument: 1)
        #expect(try child.require(Chat.self, argument: 1) !== one)
        #expect(try child.require(Chat.self, argument: 2) === two)
        #expect(try container.require(Chat.self, name: "a", arguments: room, 1) === named)
        // It ignores its arguments.
        #expect(try container.require(Cache.self, argument: 1) === cache)

        child.resetObjectScope(.container, serviceType: Chat.self, arguments: room, 1)
        #expect(try container.require(Chat.self, name: "a", arguments: room, 1) !== named)
    }

    @Test func `goes alone with a reset of its arguments where hashes are the same`() throws {
        container.register(Chat.self) { (_, colliding: Colliding) in Chat(colliding.id) }
            .inObjectScope(.container.perArguments)
        func chat(_ id: Int) throws -> Chat {
            try container.require(Chat.self, argument: Colliding(id: id))
        }
        let (one, two) = (try chat(1), try chat(2))
        let argument = Colliding(id: 1)
        container.resetObjectScope(.container, serviceType: Chat.self, argument: argument)
        #expect(try chat(1) !== one)
        #expect(try chat(2) === two)
    }

    @Test func `goes with the container`() {
        weak var chat: Chat?
        do {
            let container = Container()
            register(.container, in: container)
            chat = container.resolve(Chat.self, argument: 1)
            #expect(chat != nil)
        }
        #expect(chat == nil)
    }

    @Test func `goes with a change of scope`() throws {
        let entry = container.register(Chat.self) { (_, id: Int) in Chat(id) }
            .inObjectScope(.container.perArguments)
        weak let chat = try container.require(Chat.self, argument: 1)
        #expect(chat != nil)
        entry.inObjectScope(.container)

        #expect(chat == nil)
        #expect(
            try container.require(Chat.self, argument: 1)
                === container.require(Chat.self, argument: 2)
        )
    }

    @Test func `in weak scope goes with its last owner, and so do the arguments`() throws {
        container.register(Chat.self) { (_, key: Key) in Chat(key.id) }
            .inObjectScope(.weak.perArguments)
        weak var key: Key?
        do {
            let made = Key(1)
            key = made
            let chat = try container.require(Chat.self, argument: made)
            #expect(try container.require(Chat.self, argument: Key(1)) === chat)
        }
        _ = try container.require(Chat.self, argument: Key(2))

        #expect(key == nil)
    }

    // MARK: The scope

    @Test func `has a scope that is the same each time`() {
        for scope in Self.scopes + [.visit] {
            #expect(scope.perArguments === scope.perArguments)
            #expect(scope.perArguments !== scope)
            #expect(scope.perArguments.perArguments === scope.perArguments)
            #expect(scope.perArguments.description == "\(scope).perArguments")
        }
        #expect(ObjectScope.graph.perArguments === ObjectScope.graph)
        #expect(ObjectScope.transient.perArguments === ObjectScope.transient)
    }

    @Test func `shows in descriptions and graphs, and is no problem`() throws {
        register(.container)
        let report = try container.validate()

        #expect(container.description.contains("ObjectScope: container.perArguments"))
        #expect(container.dependencyGraph().nodes.map(\.scope) == ["container.perArguments"])
        #expect(report.problems.isEmpty)
    }

    @Test(arguments: ["registered", "default scope", "several"])
    func `cannot be where one of them is not Hashable`(way: String) async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [way = way as String] in
            switch way {
            case "registered":
                Container().register(Chat.self) { (_, _: Handler) in Chat(0) }
                    .inObjectScope(.container.perArguments)
            case "default scope":
                Container(defaultObjectScope: .container.perArguments)
                    .register(Chat.self) { (_, _: Handler) in Chat(0) }
            default:
                Container().register(Chat.self, name: "a") { (_, _: Int, _: any Talk) in Chat(0) }
                    .inObjectScope(.weak.perArguments)
            }
        }
        let name = way == "several" ? "an existential argument" : "an argument"
        try Golden("\(name) that is not Hashable").check(try Golden.trap(in: result))
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("PerArgumentsTests.swift:"))
    }
}

// MARK: - Fixtures

private protocol Talk: AnyObject {}

private final class Chat: Talk {
    let id: Int
    let before: Chat?
    var again: Chat?

    init(_ id: Int, before: Chat? = nil) {
        self.id = id
        self.before = before
    }
}

private struct Room: Hashable {
    let name: String
}

private struct Colliding: Hashable {
    let id: Int

    func hash(into hasher: inout Hasher) {}
}

private final class Key: Hashable {
    let id: Int

    init(_ id: Int) { self.id = id }

    static func == (left: Key, right: Key) -> Bool { left.id == right.id }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private final class Thread: Sendable {
    let id: Int

    init(id: Int) { self.id = id }
}

private struct Handler {}

private final class Cache {}

private struct Busy: Error {}
