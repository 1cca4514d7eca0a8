import Depin
import Testing

/// An override replaces a registration where it stands in the hierarchy.
struct `An override with a child container in force` {
    //  parent: API, Feed (shared, needs API), Log      session: User (shared, needs Feed)

    private let parent = Container()
    private let session: Container

    init() {
        parent.register(API.self) { API("live") }
        parent.register(Feed.self) { Feed($0 ~> API.self) }.inObjectScope(.container)
        parent.register(Draft.self) { Draft($0 ~> API.self) }
        session = Container(parent: parent)
        session.register(User.self) { User($0 ~> Feed.self) }.inObjectScope(.container)
    }

    @Test func `reaches a parent's shared instance`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(API.self) { API("fake") } }) {
                #expect(Injected<Feed>().wrappedValue.api.name == "fake")
                #expect(Injected<User>().wrappedValue.feed.api.name == "fake")
                #expect(Injected<Draft>().wrappedValue.api.name == "fake")
                #expect(Injected<API>().wrappedValue.name == "fake")
            }
        }
    }

    @Test func `leaves the originals as they are`() {
        let feed = session ~> Feed.self
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(API.self) { API("fake") } }) {
                #expect(Injected<Feed>().wrappedValue !== feed)
            }
            #expect(Injected<Feed>().wrappedValue === feed)
        }
        #expect((parent ~> API.self).name == "live")
        #expect((session ~> User.self).feed === feed)
    }

    @Test func `reaches it through two levels, and from the middle one`() {
        let window = Container(parent: session)
        session.register(API.self, name: "session") { API("live") }
        session.register(Feed.self, name: "session") { resolver in
            Feed(resolver ~> (API.self, name: "session"))
        }
        .inObjectScope(.container)
        withSpace(\.dependenciesContainer, window) {
            withSpace(
                overriding: {
                    $0.register(API.self) { API("fake") }
                    $0.register(API.self, name: "session") { API("fake session") }
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
        session.register(API.self) { API("session's") }
        session.register(Draft.self, name: "mine") { Draft($0 ~> API.self) }
            .inObjectScope(.container)
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(API.self) { API("fake") } }) {
                #expect(Injected<API>().wrappedValue.name == "fake")
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
        parent.register(API.self) { (_: any Resolver, host: String) in API("live \(host)") }
        withSpace(\.dependenciesContainer, session) {
            withSpace(
                overriding: {
                    $0.register(API.self) { (_: any Resolver, host: String) in API("fake \(host)") }
                    $0.register(API.self, name: "other") { API("other") }
                },
                operation: {
                    #expect(Injected<Feed>().wrappedValue.api.name == "live")
                    let container = SpaceValues.current.dependenciesContainer
                    #expect((container ~> (API.self, argument: "a")).name == "fake a")
                    #expect((container ~> (API.self, name: "other")).name == "other")
                }
            )
        }
    }

    @Test func `reaches a parent's shared instance, in every way of registering`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(API.self, instance: API("fake")) }) {
                #expect(Injected<Feed>().wrappedValue.api.name == "fake")
            }
            withSpace(overriding: { $0.autoregister(API.self) { API("fake") } }) {
                #expect(Injected<Feed>().wrappedValue.api.name == "fake")
            }
            withSpace(
                overriding: {
                    $0.register(SubAPI.self) { SubAPI("fake") }
                        .inObjectScope(.container)
                        .implements(API.self)
                },
                operation: {
                    #expect(Injected<Feed>().wrappedValue.api is SubAPI)
                    #expect(Injected<Feed>().wrappedValue.api === Injected<SubAPI>().wrappedValue)
                }
            )
            withSpace(
                overriding: {
                    let entry = $0.register(SubAPI.self) { SubAPI("fake") }
                    $0.forward(API.self, to: entry)
                },
                operation: { #expect(Injected<Feed>().wrappedValue.api is SubAPI) }
            )
        }
    }

    @Test func `nests`() {
        withSpace(\.dependenciesContainer, session) {
            withSpace(overriding: { $0.register(API.self) { API("outer") } }) {
                withSpace(overriding: { $0.register(API.self) { API("inner") } }) {
                    #expect(Injected<Feed>().wrappedValue.api.name == "inner")
                }
                #expect(Injected<Feed>().wrappedValue.api.name == "outer")
            }
        }
    }

    @Test func `is no overwrite that a validation would tell of`() throws {
        try withSpace(\.dependenciesContainer, session) {
            try withSpace(overriding: { $0.register(API.self) { API("fake") } }) {
                let report = try SpaceValues.current.dependenciesContainer.validate()
                #expect(report.problems.isEmpty)
            }
        }
    }

    /// A plain registration in a child goes on standing in the child.
    @Test func `is another matter than a registration in a child`() {
        session.register(API.self) { API("session's") }
        #expect((session ~> Feed.self).api.name == "live")
        #expect((session ~> Draft.self).api.name == "session's")
        let fork = session.fork()
        fork.register(API.self, name: "new") { API("new") }
        fork.register(API.self) { API("fork's") }
        #expect((fork ~> Feed.self).api.name == "live")
    }
}

private class API: @unchecked Sendable {  // Nothing changes after init.
    let name: String
    init(_ name: String) { self.name = name }
}

private final class SubAPI: API, @unchecked Sendable {}

private final class Feed: Sendable {
    let api: API
    init(_ api: API) { self.api = api }
}

private final class Draft: Sendable {
    let api: API
    init(_ api: API) { self.api = api }
}

private final class User: Sendable {
    let feed: Feed
    init(_ feed: Feed) { self.feed = feed }
}

private final class Log: Sendable {}

private final class Menu: Sendable {
    let log: Log?
    init(_ log: Log?) { self.log = log }
}
