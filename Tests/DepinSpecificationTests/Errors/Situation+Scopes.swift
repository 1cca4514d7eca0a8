import Depin
import Testing

extension Situation {
    static let scopes = [
        Situation("a service of a scope that is not open") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }.inObjectScope(.request)
            container.register(FeedScreen.self) { r in
                try form.ask(r, Profile.self)
                return FeedScreen(feed: FeedService())
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("a singleton that keeps a service of an open scope") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }.inObjectScope(.request)
            container.register(FeedService.self) { r in
                try form.ask(r, Profile.self)
                return FeedService()
            }
            .inObjectScope(.container)
            container.register(FeedScreen.self) { r in
                FeedScreen(feed: try form.ask(r, FeedService.self))
            }
            try form.ask(container.openScope(.request), FeedScreen.self)
        },
        Situation("a service of a scope, asked of what it was opened on") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }.inObjectScope(.request)
            try withSpace(\.dependenciesContainer, container.openScope(.request)) {
                try form.ask(container, Profile.self)
            }
        },
        Situation("a service of a scope, asked of another container") { form in
            let (app, other) = (Container(), Container())
            other.register(Profile.self) { Profile() }.inObjectScope(.request)
            try withSpace(\.dependenciesContainer, app.openScope(.request)) {
                try form.ask(other, Profile.self)
            }
        },
        Situation("a service of a scope, through a resolver that a shared object keeps") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }.inObjectScope(.request)
            container.register(Locator.self) { r in Locator(r) }.inObjectScope(.container)
            try withSpace(\.dependenciesContainer, container.openScope(.request)) {
                try form.ask(form.ask(container, Locator.self).resolver, Profile.self)
            }
        },
        Situation("a service of a scope that is open and not in force") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }.inObjectScope(.request)
            let scope = container.openScope(.request)
            try form.ask(container, Profile.self)
            withExtendedLifetime(scope) {}
        },
        Situation("a service of another scope of the same name") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }
                .inObjectScope(ObjectScope(opened: "request"))
            try form.ask(container.openScope(.request), Profile.self)
        },
        Situation("a service of a scope around the one that is open") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }
                .inObjectScope(ObjectScope(opened: "session"))
            container.register(FeedService.self) { r in
                try form.ask(r, Profile.self)
                return FeedService()
            }
            .inObjectScope(.request)
            try form.ask(container.openScope(.request), FeedService.self)
        },
        Situation("a seed that was forgotten") { form in
            let container = Container()
            container.register(FeedService.self) { r in
                FeedService(api: try form.ask(r, (any API).self))
            }
            .inObjectScope(.request)
            try form.ask(container.openScope(.request), FeedService.self)
        },
        Situation("a property made outside the open scope, for a service of it") { form in
            guard form == .trap else { throw Skipped() }
            let (screen, scope) = outside(.request)
            withSpace(\.dependenciesContainer, scope) { use(screen.profile) }
        },
        Situation("a property made outside the open scope, for a seed") { form in
            guard form == .trap else { throw Skipped() }
            let (screen, scope) = outside(.request)
            withSpace(\.dependenciesContainer, scope) { use(screen.api) }
        },
        Situation("an optional property made outside the open scope, for a seed") { form in
            guard form == .trap else { throw Skipped() }
            let (screen, scope) = outside(.request)
            withSpace(\.dependenciesContainer, scope) { use(screen.optional as Any) }
        },
        Situation("a property made outside the override") { form in
            guard form == .trap else { throw Skipped() }
            let (screen, scope) = outside(nil)
            withSpace(\.dependenciesContainer, scope) { use(screen.api) }
        },
    ]

    /// A screen of an app, and a child of the app's container, in which the screen was not made.
    private static func outside(_ scope: ObjectScope?) -> (ScopedScreen, Container) {
        let app = Container()
        app.register(Profile.self) { Profile() }.inObjectScope(.request)
        let screen = withSpace(\.dependenciesContainer, app) { ScopedScreen() }
        let child = scope.map { app.openScope($0) } ?? Container(parent: app)
        child.register((any API).self, instance: LiveAPI())
        return (screen, child)
    }
}

private final class ScopedScreen {
    @Injected var profile: Profile
    @Injected var api: any API
    @Injected var optional: (any API)?
}

private final class Locator: Sendable {
    let resolver: any Resolver
    init(_ resolver: any Resolver) { self.resolver = resolver }
}
