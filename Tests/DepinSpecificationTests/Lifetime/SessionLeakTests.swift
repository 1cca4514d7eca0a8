import Depin
import DepinInspection
import Foundation
import Testing

/// What a container makes on behalf of something that it keeps never keeps the container.
struct `The release of a container that nobody uses any more` {
    private static let count = 1_000

    private let app = Container()

    enum Kept: CaseIterable {
        case container, named, stored, weak

        var scope: ObjectScope {
            switch self {
            case .container: .container
            case .named: .session
            case .stored: .keeping
            case .weak: .weak
            }
        }
    }

    // MARK: - A property that nobody has read

    @Test(arguments: Kept.allCases)
    func `with a property of a shared instance that nobody has read`(_ kept: Kept) {
        let (containers, users) = (Population(), Population())
        for _ in 0..<Self.count {
            let session = Container(parent: app)
            register(User.self, in: session, kept.scope) { User(users) }
            containers.add(session)
            withSpace(\.dependenciesContainer, session) { use(session ~> User.self) }
        }
        expectNone(of: containers, and: users)
    }

    @Test(arguments: Kept.allCases)
    func `with an unread property of a shared instance in an override's fork`(_ kept: Kept) {
        let (containers, users) = (Population(), Population())
        register(User.self, in: app, kept.scope) { User(users) }
        withSpace(\.dependenciesContainer, app) {
            for _ in 0..<Self.count {
                withSpace(overriding: { $0.register(Clock.self) { Clock() } }) {
                    containers.add(SpaceValues.current.dependenciesContainer)
                    use(Injected<User>().wrappedValue)
                }
            }
        }
        expectNone(of: containers, and: users)
    }

    @Test(arguments: Kept.allCases)
    func `with an unread property of a shared instance, after a validation`(_ kept: Kept) throws {
        let (containers, users) = (Population(), Population())
        register(User.self, in: app, kept.scope) { User(users) }
        for _ in 0..<Self.count {
            try app.validate(standIns: { containers.add($0) })
        }
        expectNone(of: containers, and: users)
    }

    @Test func `with an unread property of what is made for a shared instance`() {
        let (containers, users) = (Population(), Population())
        for _ in 0..<Self.count {
            let session = Container(parent: app)
            session.register(User.self) { User(users) }
            session.register(Holder.self) { Holder($0 ~> User.self) }.inObjectScope(.container)
            containers.add(session)
            withSpace(\.dependenciesContainer, session) { use(session ~> Holder.self) }
        }
        expectNone(of: containers, and: users)
    }

    @Test func `with an unread property of what a callback made for a shared instance`() {
        let (containers, users) = (Population(), Population())
        for _ in 0..<Self.count {
            let session = Container(parent: app)
            session.register(Holder.self) { Holder(nil) }
                .inObjectScope(.container)
                .initCompleted { _, holder in holder.held = User(users) }
            containers.add(session)
            withSpace(\.dependenciesContainer, session) { use(session ~> Holder.self) }
        }
        expectNone(of: containers, and: users)
    }

    @Test func `with what a shared instance's factory asked the space for`() {
        let (containers, holders) = (Population(), Population())
        for _ in 0..<Self.count {
            let session = Container(parent: app)
            session.register(Holder.self, name: "unshared" as TestName) { Holder($0) }
            session.register(Holder.self) {
                let space = SpaceValues.current.dependenciesContainer
                let holder = Holder(space ~> (Holder.self, name: "unshared" as TestName))
                holders.add(holder)
                return holder
            }
            .inObjectScope(.container)
            containers.add(session)
            withSpace(\.dependenciesContainer, session) { use(session ~> Holder.self) }
        }
        expectNone(of: containers, and: holders)
    }

    @Test func `with a property that is read once and finds a shared instance`() {
        let (containers, users) = (Population(), Population())
        for _ in 0..<Self.count {
            let session = Container(parent: app)
            session.register(Clock.self) { Clock() }.inObjectScope(.container)
            session.register(User.self) { User(users) }.inObjectScope(.container)
            containers.add(session)
            withSpace(\.dependenciesContainer, session) { use((session ~> User.self).clock) }
        }
        expectNone(of: containers, and: users)
    }

    @Test(arguments: [true, false])
    func `with a property of an instance that was registered`(_ isRead: Bool) {
        let (containers, users) = (Population(), Population())
        for _ in 0..<Self.count {
            withSpace(
                overriding: { fork in
                    fork.register(Clock.self) { Clock() }.inObjectScope(.container)
                    fork.register(User.self, instance: User(users))
                },
                operation: {
                    let container = SpaceValues.current.dependenciesContainer
                    containers.add(container)
                    let user = container ~> User.self
                    if isRead { use(user.clock) }
                }
            )
        }
        expectNone(of: containers, and: users)
    }

    @Test func `with a property of an instance that an assembly registered`() {
        let (containers, users) = (Population(), Population())
        let session = Assembler()
        containers.add(session.resolver as! Container)
        withSpace(\.dependenciesAssembler, consume session) {
            SpaceValues.current.dependenciesAssembler.apply(assembly: UserAssembly(users: users))
        }
        expectNone(of: containers, and: users)
    }

    /// The task runs on the assembly's thread until it waits for something.
    @Test func `with what an assembly registered after it started a task`() {
        guard #available(macOS 26, *) else { return }
        let (containers, users) = (Population(), Population())
        let session = Assembler()
        containers.add(session.resolver as! Container)
        withSpace(\.dependenciesAssembler, consume session) {
            SpaceValues.current.dependenciesAssembler.apply(assembly: StartingAssembly(users))
        }
        expectNone(of: containers, and: users)
    }

    // MARK: - A resolver that a shared instance keeps, and what it is used for

    enum Hold: CaseIterable {
        case resolver, lazy, provider, closure

        fileprivate func holder(_ resolver: any Resolver, of name: TestName) -> Holder {
            switch self {
            case .resolver: Holder(resolver)
            case .lazy: Holder(resolver ~> (Lazy<Holder>.self, name: name))
            case .provider: Holder(resolver ~> (Provider<Holder>.self, name: name))
            case .closure: Holder({ resolver ~> (Holder.self, name: name) })
            }
        }

        /// What is made through what a holder has.
        fileprivate func made(by holder: Holder, _ name: TestName) -> Holder? {
            switch self {
            case .resolver: (holder.held as? any Resolver)?.resolve(Holder.self, name: name)
            case .lazy: (holder.held as? Lazy<Holder>)?.instance
            case .provider: (holder.held as? Provider<Holder>)?.instance
            case .closure: (holder.held as? () -> Holder)?()
            }
        }
    }

    //  kept, shared ──► first ──► second       each made by what came before, when all is built

    @Test(arguments: Hold.allCases, Hold.allCases)
    func `with a shared instance that keeps what it made later`(_ outer: Hold, _ inner: Hold) {
        let (containers, holders) = (Population(), Population())
        do {
            let session = Container(parent: app)
            containers.add(session)
            session.register(Holder.self, name: "kept" as TestName) { resolver in
                outer.holder(resolver, of: "first")
            }
            .inObjectScope(.container)
            session.register(Holder.self, name: "first" as TestName) { resolver in
                inner.holder(resolver, of: "second")
            }
            session.register(Holder.self, name: "second" as TestName) { Holder($0) }
            let kept = session ~> (Holder.self, name: "kept" as TestName)
            kept.more = outer.made(by: kept, "first")
            kept.more?.more = kept.more.flatMap { inner.made(by: $0, "second") }
            for holder in [kept, kept.more, kept.more?.more] {
                if let holder { holders.add(holder) }
            }
        }
        #expect(holders.total == 3)
        expectNone(of: containers, and: holders)
    }

    //  screen ──► holder, made first ◄── kept, shared        one graph

    enum Order: CaseIterable {
        case unsharedFirst, sharedFirst
    }

    /// The holder was made for the screen, on no shared instance's behalf, and then a shared one took it.
    @Test(arguments: Order.allCases, Hold.allCases)
    func `with what a shared instance took from the graph of an unshared one`(
        _ order: Order,
        _ hold: Hold
    ) {
        let (containers, holders) = (Population(), Population())
        do {
            let session = makeSession(keeping: hold, containers, holders)
            session.register(Holder.self) { resolver in
                let names: [TestName] =
                    order == .unsharedFirst ? ["part", "kept"] : ["kept", "part"]
                return Holder(names.map { resolver ~> (Holder.self, name: $0) })
            }
            use(session ~> Holder.self)
        }
        #expect(holders.total == 1, "it is one graph")
        expectNone(of: containers, and: holders)
    }

    /// The same when the graph has ended, and a `Lazy` goes on in it.
    @Test(arguments: Hold.allCases)
    func `with what a shared instance took from a graph that had ended`(_ hold: Hold) {
        let (containers, holders) = (Population(), Population())
        do {
            let session = makeSession(keeping: hold, containers, holders)
            session.register(Holder.self) { resolver in
                let screen = Holder(resolver ~> (Lazy<Holder>.self, name: "kept" as TestName))
                screen.more = resolver.resolve(Holder.self, name: "part" as TestName)
                return screen
            }
            let screen = session ~> Holder.self
            let kept = (screen.held as? Lazy<Holder>)?.instance
            #expect(kept?.held as? Holder === screen.more)
        }
        #expect(holders.total == 1, "it is one graph")
        expectNone(of: containers, and: holders)
    }

    /// The same in a graph that another container's request began.
    @Test(arguments: Hold.allCases)
    func `with what a shared instance took from a graph of two containers`(_ hold: Hold) {
        let (containers, holders) = (Population(), Population())
        do {
            let session = Container(parent: app)
            containers.add(session)
            let other = makeSession(keeping: hold, containers, holders)
            session.register(Holder.self) { [other] resolver in
                let names: [TestName] = ["part", "kept"]
                return Holder([resolver] + names.map { other ~> (Holder.self, name: $0) })
            }
            use(session ~> Holder.self)
        }
        #expect(holders.total == 1, "it is one graph")
        expectNone(of: containers, and: holders)
    }

    /// The same, where what the shared instance takes has a property.
    @Test(arguments: Order.allCases, [true, false])
    func `with a property of what a shared instance took from the graph of an unshared one`(
        _ order: Order,
        _ isRead: Bool
    ) {
        let (containers, users) = (Population(), Population())
        let parent = Container(parent: app)
        parent.register(Clock.self) { Clock() }.inObjectScope(.container)
        for _ in 0..<Self.count {
            let session = Container(parent: parent)
            session.register(Clock.self, name: "own" as TestName) { Clock() }
                .inObjectScope(.container)
            session.register(User.self) {
                let user = User(users)
                if isRead { use((user.clock, user.ownClock)) }
                return user
            }
            session.register(Holder.self, name: "kept" as TestName) { Holder($0 ~> User.self) }
                .inObjectScope(.container)
            session.register(Holder.self) { resolver in
                if order == .unsharedFirst { use(resolver ~> User.self) }
                return Holder(resolver ~> (Holder.self, name: "kept" as TestName))
            }
            .initCompleted { resolver, holder in holder.more = Holder(resolver ~> User.self) }
            containers.add(session)
            withSpace(\.dependenciesContainer, session) {
                let holder = session ~> Holder.self
                #expect((holder.held as? Holder)?.held as? User === holder.more?.held as? User)
            }
        }
        #expect(users.total == Self.count, "it is one graph")
        expectNone(of: containers, and: users)
    }

    private func makeSession(
        keeping hold: Hold,
        _ containers: Population,
        _ holders: Population
    ) -> Container {
        let session = Container(parent: app)
        containers.add(session)
        registerKept(in: session, of: hold, holders)
        return session
    }

    /// Registers a shared holder that takes a part, and gives the registration of the part.
    @discardableResult
    private func registerKept(
        in session: Container,
        of hold: Hold,
        _ holders: Population
    ) -> ServiceEntry<Holder> {
        session.register(Holder.self, name: "other" as TestName) { Holder(nil) }
        session.register(Holder.self, name: "kept" as TestName) { resolver in
            Holder(resolver ~> (Holder.self, name: "part" as TestName))
        }
        .inObjectScope(.container)
        return session.register(Holder.self, name: "part" as TestName) { resolver in
            let holder = hold.holder(resolver, of: "other")
            holders.add(holder)
            return holder
        }
    }

    @Test(arguments: Hold.allCases)
    func `with a weak instance that a shared one took`(_ hold: Hold) {
        let (containers, holders) = (Population(), Population())
        do {
            let session = Container(parent: app)
            containers.add(session)
            registerKept(in: session, of: hold, holders).inObjectScope(.weak)
            let part = session ~> (Holder.self, name: "part" as TestName)
            use(session ~> (Holder.self, name: "kept" as TestName))
            withExtendedLifetime(part) {}
        }
        expectNone(of: containers, and: holders)
    }

    //  kept ── @Injected, read later ──► reader ── @Injected, unread ──► clock

    @Test func `with a property of what a property of a shared instance found later`() {
        let (containers, readers) = (Population(), Population())
        do {
            let session = Container(parent: app)
            containers.add(session)
            session.register(Clock.self) { Clock() }
            session.register(User.self) { User(readers) }
            session.register(Reader.self) { Reader() }.inObjectScope(.container)
            let reader = withSpace(\.dependenciesContainer, session) { session ~> Reader.self }
            use(reader.user)
        }
        expectNone(of: containers, and: readers)
    }

    @Test(arguments: Hold.allCases)
    func `with what a shared instance took in a validation`(_ hold: Hold) throws {
        let (containers, holders) = (Population(), Population())
        app.register(Holder.self, name: "part" as TestName) { resolver in
            let holder = hold.holder(resolver, of: "other")
            holders.add(holder)
            return holder
        }
        app.register(Holder.self, name: "other" as TestName) { Holder(nil) }
        app.register(Holder.self, name: "kept" as TestName) { resolver in
            Holder(resolver ~> (Holder.self, name: "part" as TestName))
        }
        .inObjectScope(.container)
        try app.validate(standIns: { containers.add($0) })
        expectNone(of: containers, and: holders)
    }

    @Test func `with a parent's service in a shared instance of a child`() {
        let (containers, users) = (Population(), Population())
        do {
            let session = Container(parent: app)
            containers.add(session)
            app.register(User.self) { User(users) }
            session.register(Holder.self) { Holder($0 ~> User.self) }.inObjectScope(.container)
            withSpace(\.dependenciesContainer, session) {
                let user = (session ~> Holder.self).held as? User
                #expect(user != nil)
            }
        }
        expectNone(of: containers, and: users)
    }

    private func register<Service>(
        _ type: Service.Type,
        in container: Container,
        _ scope: ObjectScope,
        factory: @escaping @Sendable () -> Service
    ) {
        container.register(type, factory: factory).inObjectScope(scope)
    }

    private func expectNone(
        of containers: Population,
        and services: Population,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(containers.total > 0 && services.total > 0, sourceLocation: sourceLocation)
        #expect(containers.alive == 0, "containers", sourceLocation: sourceLocation)
        #expect(services.alive == 0, "services", sourceLocation: sourceLocation)
    }
}

extension ObjectScope {
    fileprivate static let session = ObjectScope(named: "session")
    fileprivate static let keeping = ObjectScope(
        storageFactory: PermanentStorage.init,
        description: "keeping"
    )
}

private final class Clock: Sendable {}

private final class User: Sendable {
    private let injectedClock = Injected<Clock>()
    private let injectedOwnClock = Injected<Clock?>("own" as TestName)
    var clock: Clock { injectedClock.wrappedValue }
    var ownClock: Clock? { injectedOwnClock.wrappedValue }
    init(_ population: Population) { population.add(self) }
}

private final class Reader: Sendable {
    private let injectedUser = Injected<User>()
    var user: User { injectedUser.wrappedValue }
}

private struct UserAssembly: Assembly {
    let users: Population

    func assemble(container: Container) {
        container.register(User.self, instance: User(users))
    }
}

@available(macOS 26, *)
private struct StartingAssembly: Assembly {
    let users: Population
    init(_ users: Population) { self.users = users }

    func assemble(container: Container) {
        container.register(Clock.self) { Clock() }
        Task.immediate { use(try await container.requireAsync(Clock.self)) }
        container.register(User.self, instance: User(users))
    }
}

private final class Holder {
    var held: Any?
    var more: Holder?
    init(_ held: Any?) { self.held = held }
}
