import Depin

struct AppAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Work.self, instance: RealWork())
    }

    /// The features of the whole app.
    static var features: [any Assembly] {
        [
            FeatureAssembly<Feed>(), FeatureAssembly<Chat>(), FeatureAssembly<Search>(),
            FeatureAssembly<Profile>(), FeatureAssembly<Settings>(), FeatureAssembly<Camera>(),
            FeatureAssembly<Photos>(), FeatureAssembly<Music>(), FeatureAssembly<Maps>(),
            FeatureAssembly<Calendar>(), FeatureAssembly<Contacts>(),
            FeatureAssembly<Payments>(), FeatureAssembly<Orders>(),
            FeatureAssembly<Catalogue>(), FeatureAssembly<Basket>(), FeatureAssembly<Reviews>(),
            FeatureAssembly<Support>(), FeatureAssembly<News>(), FeatureAssembly<Weather>(),
            FeatureAssembly<Games>(),
        ]
    }
}

/// Registers the fifteen services of one feature; an app that warms up has its screen made, and with that all.
struct FeatureAssembly<Feature>: Assembly {
    func assemble(container: Container) {
        add(Screen.self, to: container, needs: Model.self, Router.self, Theme.self).eager()
        add(Model.self, to: container, needs: Store.self, Formatter.self, Validator.self)
        add(Router.self, to: container, needs: Links.self)
        add(Store.self, to: container, needs: API.self, Cache.self, Database.self)
        add(API.self, to: container, needs: Decoder.self, Retry.self)
        add(Cache.self, to: container, needs: Files.self)
        add(Database.self, to: container, needs: Files.self, Migrations.self)
        add(Theme.self, to: container)
        add(Links.self, to: container)
        add(Formatter.self, to: container)
        add(Validator.self, to: container)
        add(Files.self, to: container)
        add(Migrations.self, to: container)
        add(Decoder.self, to: container)
        add(Retry.self, to: container)
    }

    @discardableResult
    private func add<Part, each Need>(
        _ part: Part.Type,
        to container: Container,
        needs: repeat (each Need).Type
    ) -> ServiceEntry<Service<Feature, Part>> {
        container.register(Service<Feature, Part>.self) { r in
            Service(work: r ~> Work.self, needs: repeat r ~> Service<Feature, each Need>.self)
        }
        .inObjectScope(.container)
    }
}
