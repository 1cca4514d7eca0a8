import Depin
import DepinInspection
import Testing

/// An override replaces a registration where it stands in the hierarchy.
struct `An override with a child container in force` {
    //  parent: Server, Feed (shared, needs Server), Log      session: User (shared, needs Feed)

    private let parent = Container()
    private let session: Container

    init() {
        parent.register(Server.self) { Server("live") }
        parent.register(Feed.self) { Feed($0 ~> Server.self) }.inObjectScope(.container)
        parent.register(Draft.self) { Draft($0 ~> Server.self) }
        session = Container(parent: parent)
        session.register(User.self) { User($0 ~> Feed.self) }.inObjectScope(.container)
    }

    @Test func `reaches a parent's shared instance`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Server.self) { Server("fake") } }) {
                #expect(Injected<Feed>().wrappedValue.api.name == "fake")
                #expect(Injected<User>().wrappedValue.feed.api.name == "fake")
                #expect(Injected<Draft>().wrappedValue.api.name == "fake")
                #expect(Injected<Server>().wrappedValue.name == "fake")
            }
        }
    }

    @Test func `decorates only where the service is found that it decorates`() {
        let wrapped = EventLog<String>()
        session.register(Server.self) { [parent] in
            Server("session of " + (parent ~> Server.self).name)
        }
        withSpace(\.dependenciesContainer, session) {
            withSpace(
                overriding: {
                    $0.decorate(Server.self) { _, server in
                        wrapped.note(server.name)
                        return server
                    }
                },
                operation: { use(Injected<Server>().wrappedValue) }
            )
        }
        #expect(wrapped.all == ["session of live"])
    }

    /// Else a parent's shared instance would keep what ends with the scope.
    @Test(arguments: [ObjectScope.graph, .container])
    func `gives what it replaces the scope that registrations there have`(
        _ scope: ObjectScope
    ) async throws {
        let app = Container(defaultObjectScope: scope)
        app.register(Server.self) { Server("live") }
        app.contribute(Server.self, name: "a") { Server("live") }
        app.register(Feed.self) { Feed($0 ~> Server.self) }.inObjectScope(.container)
        try await withSpace(\.dependenciesContainer, app) {
            try await app.withScope(EveryScope.opens) { _ in
                withSpace(
                    overriding: {
                        $0.register(Server.self) { Server("fake") }
                        $0.contribute(Server.self, name: "a") { Server("fake") }
                    },
                    operation: {
                        let fork = SpaceValues.current.dependenciesContainer
                        #expect((fork ~> Feed.self).api.name == "fake")
                        let all = (fork ~> [Server].self, fork ~> [Server].self)
                        #expect(all.0[0].name == "fake")
                        let isShared = scope === ObjectScope.container
                        #expect((all.0[0] === all.1[0]) == isShared)
                        #expect(((fork ~> Server.self) === (fork ~> Server.self)) == isShared)
                    }
                )
            }
        }
    }

    @Test func `leaves the originals as they are`() {
        let feed = session ~> Feed.self
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Server.self) { Server("fake") } }) {
                #expect(Injected<Feed>().wrappedValue !== feed)
            }
            #expect(Injected<Feed>().wrappedValue === feed)
        }
        #expect((parent ~> Server.self).name == "live")
        #expect((session ~> User.self).feed === feed)
    }

    @Test func `reaches a grandparent's shared instance, and that of the level between`() {
        let window = Container(parent: session)
        session.register(Server.self, name: "session") { Server("live") }
        session.register(Feed.self, name: "session") { resolver in
            Feed(resolver ~> (Server.self, name: "session"))
        }
        .inObjectScope(.container)
        withSpace(\.dependenciesContainer, window) {
            withSpace(
                overriding: {
                    $0.register(Server.self) { Server("fake") }
                    $0.register(Server.self, name: "session") { Server("fake session") }
                },
                operation: {
                    #expect(Injected<Feed>().wrappedValue.api.name == "fake")
                    let feed = Injected<Feed>("session" as TestName).wrappedValue
                    #expect(feed.api.name == "fake session")
                }
            )
        }
    }

    @Test func `stands in the nearest level that has the key`() {
        session.register(Server.self) { Server("session's") }
        session.register(Draft.self, name: "mine") { Draft($0 ~> Server.self) }
            .inObjectScope(.container)
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Server.self) { Server("fake") } }) {
                #expect(Injected<Server>().wrappedValue.name == "fake")
                #expect(Injected<Draft>("mine" as TestName).wrappedValue.api.name == "fake")
                // The parent has one of its own, which the session's hides, and it stays.
                #expect(Injected<Feed>().wrappedValue.api.name == "live")
            }
        }
    }

    @Test func `stands in the innermost level when nobody has the key`() {
        parent.register(Menu.self) { Menu($0.resolve(Log.self)) }.inObjectScope(.container)
        session.register(Menu.self, name: "session") { Menu($0.resolve(Log.self)) }
            .inObjectScope(.container)
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Log.self) { Log() } }) {
                #expect(Injected<Log?>().wrappedValue != nil)
                #expect(Injected<Menu>("session" as TestName).wrappedValue.log != nil)
                #expect(Injected<Menu>().wrappedValue.log == nil)
            }
        }
    }

    @Test func `tells a name and arguments from others`() {
        parent.register(Server.self) { (_: any Resolver, host: String) in Server("live \(host)") }
        withSpace(\.dependenciesContainer, session) {
            withSpace(
                overriding: {
                    $0.register(Server.self) { (_: any Resolver, host: String) in
                        Server("fake \(host)")
                    }
                    $0.register(Server.self, name: "other") { Server("other") }
                },
                operation: {
                    #expect(Injected<Feed>().wrappedValue.api.name == "live")
                    let container = SpaceValues.current.dependenciesContainer
                    #expect((container ~> (Server.self, argument: "a")).name == "fake a")
                    #expect((container ~> (Server.self, name: "other")).name == "other")
                }
            )
        }
    }

    @Test func `reaches a parent's shared instance, in every way of registering`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Server.self, instance: Server("fake")) }) {
                #expect(Injected<Feed>().wrappedValue.api.name == "fake")
            }
            withSpace(overriding: { $0.autoregister(Server.self) { Server("fake") } }) {
                #expect(Injected<Feed>().wrappedValue.api.name == "fake")
            }
            withSpace(
                overriding: {
                    $0.register(SubServer.self) { SubServer("fake") }
                        .inObjectScope(.container)
                        .implements(Server.self)
                },
                operation: {
                    #expect(Injected<Feed>().wrappedValue.api is SubServer)
                    #expect(
                        Injected<Feed>().wrappedValue.api === Injected<SubServer>().wrappedValue
                    )
                }
            )
            withSpace(
                overriding: {
                    let entry = $0.register(SubServer.self) { SubServer("fake") }
                    $0.forward(Server.self, to: entry)
                },
                operation: { #expect(Injected<Feed>().wrappedValue.api is SubServer) }
            )
        }
    }

    @Test(arguments: [true, false])
    func `replaces a further type where that stands`(isEntryOfParent: Bool) {
        let entry = parent.register(SubServer.self) { SubServer("live") }
        if isEntryOfParent {
            session.forward(Server.self, to: entry)
        } else {
            session.register(Server.self) { Server("session's") }
        }
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Server.self) { Server("fake") } }) {
                #expect(Injected<Server>().wrappedValue.name == "fake")
                #expect(Injected<Feed>().wrappedValue.api.name == "live")
            }
            withSpace(
                overriding: {
                    $0.register(SubServer.self) { SubServer("fake") }.implements(Server.self)
                },
                operation: {
                    #expect(Injected<Server>().wrappedValue.name == "fake")
                    #expect(Injected<Feed>().wrappedValue.api.name == "live")
                }
            )
        }
    }

    @Test func `leaves what is registered later where it is registered`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { _ in }) {
                let container = SpaceValues.current.dependenciesContainer
                container.register(Server.self) { Server("session's") }
                container.decorate(Server.self) { _, server in Server("own " + server.name) }
                #expect(Injected<Server>().wrappedValue.name == "own session's")
                #expect(Injected<Feed>().wrappedValue.api.name == "live")
            }
        }
    }

    @Test(arguments: [true, false])
    func `decorates what a default in the child yields to`(isDefault: Bool) {
        let entry = parent.register(Log.self) { Log("live") }
        if isDefault { entry.asDefault() }
        parent.register(Menu.self) { Menu($0.resolve(Log.self)) }.inObjectScope(.container)
        session.register(Log.self) { Log("none") }.asDefault()
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.decorate(Log.self) { _, log in Log("fake " + log.name) } }) {
                #expect(Injected<Log>().wrappedValue.name == "fake live")
                #expect(Injected<Menu>().wrappedValue.log?.name == "fake live")
            }
        }
    }

    @Test(arguments: ["n", nil])
    func `decorates what a parent has for any name`(name: String?) {
        parent.register(Log.self, anyName: { _, name in Log(name) })
        parent.register(Menu.self) { Menu($0.resolve(Log.self, name: "n")) }
            .inObjectScope(.container)
        withSpace(\.dependenciesContainer, session) {
            withSpace(
                overriding: {
                    $0.decorate(Log.self, name: name) { _, log in Log("fake " + log.name) }
                },
                operation: { #expect(Injected<Menu>().wrappedValue.log?.name == "fake n") }
            )
        }
    }

    @Test func `decorates a name that it registers itself, whatever names a parent has`() {
        let wrapped = EventLog<String>()
        parent.register(Server.self, name: "other") { Server("other") }
        withSpace(\.dependenciesContainer, session) {
            withSpace(
                overriding: {
                    $0.decorate(Server.self, name: "mine") { _, server in
                        wrapped.note(server.name)
                        return server
                    }
                    $0.register(Server.self, name: "mine") { Server("mine") }
                },
                operation: { use(Injected<Server>("mine" as TestName).wrappedValue) }
            )
        }
        #expect(wrapped.all == ["mine"])
    }

    @Test func `nests in another override`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(Server.self) { Server("outer") } }) {
                withSpace(overriding: { $0.register(Server.self) { Server("inner") } }) {
                    #expect(Injected<Feed>().wrappedValue.api.name == "inner")
                }
                #expect(Injected<Feed>().wrappedValue.api.name == "outer")
            }
        }
    }

    @Test func `is no overwrite that a validation would tell of`() throws {
        try withSpace(\.dependenciesContainer, session) {
            try withSpace(overriding: { $0.register(Server.self) { Server("fake") } }) {
                let report = try SpaceValues.current.dependenciesContainer.validate()
                #expect(report.problems.isEmpty)
            }
        }
    }

    /// A plain registration in a child goes on standing in the child.
    @Test func `reaches what a registration in the child does not`() {
        session.register(Server.self) { Server("session's") }
        #expect((session ~> Feed.self).api.name == "live")
        #expect((session ~> Draft.self).api.name == "session's")
        let fork = session.fork()
        fork.register(Server.self, name: "new") { Server("new") }
        fork.register(Server.self) { Server("fork's") }
        #expect((fork ~> Feed.self).api.name == "live")
    }
}

private class Server: @unchecked Sendable {  // Nothing changes after init.
    let name: String
    init(_ name: String) { self.name = name }
}

private final class SubServer: Server, @unchecked Sendable {}

private final class Feed: Sendable {
    let api: Server
    init(_ api: Server) { self.api = api }
}

private final class Draft: Sendable {
    let api: Server
    init(_ api: Server) { self.api = api }
}

private final class User: Sendable {
    let feed: Feed
    init(_ feed: Feed) { self.feed = feed }
}

private final class Log: Sendable {
    let name: String
    init(_ name: String = "") { self.name = name }
}

private final class Menu: Sendable {
    let log: Log?
    init(_ log: Log?) { self.log = log }
}
