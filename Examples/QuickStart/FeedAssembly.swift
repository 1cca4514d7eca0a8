import Depin

/// What the feed is made of, one line for each form of registration.
struct FeedAssembly: Assembly {
    func assemble(container: Container) {
        // No dependencies.
        container.register(I18n.self) { BundleI18n() }

        // Dependencies resolved by hand.
        container.register(FeedService.self) { r in
            LiveFeed(api: r ~> API.self, ranking: r ~> Ranking.self)
        }

        // Dependencies resolved from the types of the initializer.
        container.autoregister(Ranking.self, initializer: LiveRanking.init)

        // A runtime argument: who resolves a `Profile` says which.
        container.register(Profile.self) { r, id in
            LiveProfile(database: r ~> Database.self, id: id)
        }

        // It takes a `ServiceFactory<Profile, Int>`, which needs no registration.
        container.autoregister(
            ProfileCoordinator.self,
            initializer: ProfileCoordinator.init(profiles:)
        )

        // Two named singletons of one type. `.refresh` is this app's shorthand, see FeedBus.swift.
        container.register(EventEmitter<Void>.self, name: .refresh) { EventEmitter() }
            .inObjectScope(.container)
        container.register(EventEmitter<Void>.self, name: .logout) { EventEmitter() }
            .inObjectScope(.container)

        // A ready instance.
        container.register(TimeSource.self, instance: StoppedClock(time: "9:41"))

        // An instance that only the main actor may build.
        container.register(
            FeedViewModel.self,
            mainActorFactory: { r in FeedViewModel(feed: r ~> FeedService.self) }
        )

        // An unshared one, for `Provider<Session>`.
        container.register(Session.self) { r in Session(clock: r ~> TimeSource.self) }
            .inObjectScope(.transient)
    }
}
