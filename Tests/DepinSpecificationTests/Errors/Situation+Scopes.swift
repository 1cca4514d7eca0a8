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
    ]
}
