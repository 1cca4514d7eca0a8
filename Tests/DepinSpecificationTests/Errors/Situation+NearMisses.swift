import Depin
import Testing

// Not private: what the runtime knows of a private protocol does not suffice to ask types for conformance.
enum Bank {
    protocol Secret: Sendable {}
    protocol Vault: Sendable {}
}
private final class LiveSecret: Bank.Secret, Bank.Vault {}

private class Screen {}
private final class HomeScreen: Screen {}

private struct ProfileScreen {
    @Injected var profile: Profile
}

extension Situation {
    static let nearMisses = [
        Situation("registered under a name spelled nearly so") { form in
            let container = Container()
            container.register((any API).self, name: "refresh") { LiveAPI() }
            container.register((any API).self, name: "logout") { LiveAPI() }
            try form.ask(container, (any API).self, name: "refesh")
        },
        Situation("registered without a name") { form in
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            try form.ask(container, (any API).self, name: "live")
        },
        Situation("registered under many names") { form in
            let container = Container()
            for name in ["g", "f", "e", "d", "c", "b", "a"] {
                container.register((any API).self, name: name) { LiveAPI() }
            }
            try form.ask(container, (any API).self)
        },
        Situation("registered with arguments") { form in
            let container = Container()
            container.register(Profile.self) { (_, _: Int, _: String) in Profile() }
            try form.ask(container, Profile.self)
        },
        Situation("registered without arguments") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }
            try form.ask(container, Profile.self, 1)
        },
        Situation("registered under a name, asked for without its label") { form in
            let container = Container()
            container.register(Profile.self, name: "guest") { Profile() }
            try form.ask(container, Profile.self, "guest")
        },
        Situation("registered with arguments, asked for in a Provider") { form in
            let container = Container()
            container.register(Profile.self) { (_, _: Int, _: String) in Profile() }
            try form.ask(container, Provider<Profile>.self)
        },
        Situation("registered with arguments, for an @Injected property") { form in
            guard form == .trap else { throw Skipped() }
            let container = Container()
            container.register(Profile.self) { (_, _: Int, _: String) in Profile() }
            withSpace(\.dependenciesContainer, container) { use(ProfileScreen().profile) }
        },
        Situation("registered with other arguments, asked for in a ServiceFactory") { form in
            let container = Container()
            container.register(Profile.self, name: "guest") { (_, _: String) in Profile() }
            container.register(Profile.self) { (_, _: Int?) in Profile() }
            try form.ask(container, ServiceFactory<Profile, Int>.self)
        },
        Situation("registered without arguments, asked for in a ServiceFactory") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }
            try form.ask(container, ServiceFactory<Profile, Int>.self)
        },
        Situation("registered with the arguments in another order") { form in
            let container = Container()
            container.register(Profile.self) { (_, _: Int, _: String) in Profile() }
            try form.ask(container, Profile.self, "a", 1)
        },
        Situation("registered with an optional argument") { form in
            let container = Container()
            container.register(Profile.self) { (_, _: Int?) in Profile() }
            try form.ask(container, Profile.self, 1)
        },
        Situation("registered with a tuple as the argument") { form in
            let container = Container()
            container.register(Profile.self) { (_, _: (Int, String)) in Profile() }
            try form.ask(container, Profile.self, 1, "a")
        },
        Situation("registered with another name and other arguments") { form in
            let container = Container()
            container.register(Profile.self, name: "guest") { (_, _: Int) in Profile() }
            try form.ask(container, Profile.self)
        },
        Situation("registered under a near name with the arguments in another order") { form in
            let container = Container()
            container.register(Profile.self, name: "guest") { (_, _: Int, _: String) in Profile() }
            container.register(Profile.self, name: "admin") { (_, _: String, _: Int) in Profile() }
            try form.ask(container, Profile.self, name: "gest", "a", 1)
        },
        Situation("registered in every near way") { form in
            let container = Container()
            container.register(Profile.self, name: "far") { Profile() }
            container.register(Profile.self) { Profile() }
            container.register(Profile.self, name: "live") { (_, _: Int) in Profile() }
            container.register(Profile.self, name: "alive") { (_, _: Int) in Profile() }
            container.register(Profile.self, name: "lvie") { Profile() }
            try form.ask(container, Profile.self, name: "live")
        },
        Situation("registered in a container and in its parent") { form in
            let parent = Container()
            parent.register((any API).self, name: "live") { LiveAPI() }
            let child = Container(parent: parent)
            child.register((any API).self, name: "live") { LiveAPI() }
            try form.ask(child, (any API).self)
        },
        Situation("registered as an optional") { form in
            let container = Container()
            container.register((any API)?.self) { LiveAPI() }
            try form.ask(container, (any API).self)
        },
        Situation("registered as an optional, asked for in a Provider") { form in
            let container = Container()
            container.register((any API)?.self) { LiveAPI() }
            try form.ask(container, Provider<any API>.self)
        },
        Situation("registered for any name, asked for in a Provider") { form in
            let container = Container()
            container.register((any API).self, anyName: { _, _ in LiveAPI() })
            try form.ask(container, Provider<any API>.self)
        },
        Situation("registered for any name, asked for in a ServiceFactory") { form in
            let container = Container()
            container.register((any API).self, anyName: { _, _ in LiveAPI() })
            try form.ask(container, ServiceFactory<any API, String>.self)
        },
        Situation("registered as the concrete type") { form in
            let container = Container()
            container.register(LiveAPI.self) { LiveAPI() }
            try form.ask(container, (any API).self)
        },
        Situation("registered as the concrete type, asked for in a Lazy") { form in
            let container = Container()
            container.register(LiveAPI.self) { LiveAPI() }
            try form.ask(container, Lazy<any API>.self)
        },
        Situation("registered as the concrete type, asked for by name") { form in
            let container = Container()
            container.register(LiveAPI.self, name: "main") { LiveAPI() }
            try form.ask(container, (any API).self, name: "live")
        },
        Situation("registered as an optional of the concrete type") { form in
            let container = Container()
            container.register(LiveAPI?.self) { LiveAPI() }
            try form.ask(container, (any API).self)
        },
        Situation("registered as an instance with a forward that conforms") { form in
            let container = Container()
            container.register(LiveSecret.self, instance: LiveSecret())
                .implements((any Bank.Vault).self)
            try form.ask(container, (any Bank.Secret).self)
        },
        Situation("registered as the protocol") { form in
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            try form.ask(container, LiveAPI.self)
        },
        Situation("registered as the protocol, asked for in a Provider") { form in
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            try form.ask(container, Provider<LiveAPI>.self)
        },
        Situation("registered as the superclass") { form in
            let container = Container()
            container.register(Screen.self) { HomeScreen() }
            try form.ask(container, HomeScreen.self)
        },
        Situation("registered under a type spelled nearly so") { form in
            let container = Container()
            container.register(FeedScreen.self) { FeedScreen(feed: FeedService()) }
            container.register(Emitter<Int>.self) { Emitter() }
            try form.ask(container, Emitter<Int8>.self)
        },
        Situation("registered under a type of the same name") { form in
            let container = Container()
            container.register(News.Item.self) { News.Item() }
            try form.ask(container, Shop.Item.self)
        },
    ]

    static let elsewhere = [
        Situation("registered in a child only") { form in
            let parent = Container()
            let child = Container(parent: parent)
            child.register((any API).self) { LiveAPI() }
            keep(child)
            use(try form.ask(parent, (any API).self))
        },
        Situation("registered in a child of a child only") { form in
            let parent = Container()
            let child = Container(parent: parent)
            let grandchild = Container(parent: child)
            grandchild.register((any API).self) { LiveAPI() }
            keep(grandchild)
            use(try form.ask(parent, (any API).self))
        },
        Situation("registered in another child of the parent") { form in
            let parent = Container()
            let child = Container(parent: parent)
            let sibling = Container(parent: parent)
            sibling.register((any API).self) { LiveAPI() }
            keep(sibling)
            use(try form.ask(child, (any API).self))
        },
        Situation("registered in a child of what is overridden") { form in
            let parent = Container()
            let child = Container(parent: parent)
            child.register((any API).self) { LiveAPI() }
            keep(child)
            try withSpace(\.dependenciesContainer, parent) {
                try withSpace(overriding: { $0.register(Profile.self) { Profile() } }) {
                    let fork = SpaceValues.current.dependenciesContainer
                    use(try form.ask(fork, (any API).self))
                }
            }
        },
        Situation("registered in another assembler of the space") { form in
            let payments = Container()
            payments.register((any API).self) { LiveAPI() }
            let app = Container()
            app.register(Profile.self) { Profile() }
            try withSpace {
                $0.paymentsAssembler = Assembler(container: payments)
                $0.dependenciesContainer = app
            } operation: {
                try form.ask(app, (any API).self)
            }
        },
        Situation("registered in the app's assembler, asked of another") { form in
            let app = Container()
            app.register((any API).self) { LiveAPI() }
            try withSpace {
                $0.dependenciesContainer = app
            } operation: {
                try form.ask(Container(), (any API).self)
            }
        },
        Situation("asked of a container that is gone") { form in
            var container: Container? = Container()
            container?.register(Profile.self) { Profile() }
            container?.register((any Resolver).self) { r in r }.inObjectScope(.container)
            let kept = try #require(container?.resolve((any Resolver).self))
            container = nil
            try form.ask(kept, Profile.self)
        },
    ]
}

/// Keeps a container for as long as the process: a message is read when the situation is over.
private func keep(_ container: Container) {
    kept.note(container)
}

private let kept = EventLog<Container>()
