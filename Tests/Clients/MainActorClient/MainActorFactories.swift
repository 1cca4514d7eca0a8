import Depin

// In this module every type is isolated to the main actor unless it says otherwise: these are the
// registrations for such types, which compile without a warning.

protocol Screen {
    var title: String { get }
}

final class FeedModel {
    private let feed: FeedService

    init(feed: FeedService) {
        self.feed = feed
    }
}

final class FeedScreen: Screen {
    let model: FeedModel
    let title: String

    init(model: FeedModel, title: String = "Feed") {
        self.model = model
        self.title = title
    }
}

final class EmptyScreen: Screen {
    let title = ""
}

func registerScreens(in container: Container) {
    container.register(Screen.self, name: "empty", mainActorFactory: { EmptyScreen() })
    container.register(Screen.self, name: FeedBus.logout, mainActorFactory: { EmptyScreen() })
    container.register(
        FeedModel.self,
        mainActorFactory: { r in FeedModel(feed: r ~> FeedService.self) }
    )
    container.register(
        Screen.self,
        mainActorFactory: { r in FeedScreen(model: r ~> FeedModel.self) }
    )
    container.register(
        Screen.self,
        mainActorFactory: { r, title in FeedScreen(model: r ~> FeedModel.self, title: title) }
    )
    container.register(
        Screen.self,
        name: "twice",
        mainActorFactory: { (r: Resolver, title: String, times: Int) in
            let title = String(repeating: title, count: times)
            return FeedScreen(model: r ~> FeedModel.self, title: title)
        }
    )
    container.autoregister(FeedModel.self, mainActorInitializer: FeedModel.init)
    container.autoregister(FeedModel.self, name: "other", mainActorInitializer: FeedModel.init)
    container.autoregister(EmptyScreen.self, mainActorInitializer: EmptyScreen.init)
        .implements(Screen.self)
        .inObjectScope(.container)
    let make: @MainActor @Sendable ((FeedModel, String)) -> FeedScreen = {
        FeedScreen(model: $0.0, title: $0.1)
    }
    container.autoregister(FeedScreen.self, mainActorInitializer: make)
}

func useScreens(of resolver: Resolver) async throws {
    let model: FeedModel = resolver ~> FeedModel.self
    let screen = try await resolver.requireOnMainActor(FeedScreen.self)
    print(model === screen.model)
}

final class Window {
    @Injected private var screen: Screen
    @Injected private var model: FeedModel?
    @Space(\.theme) private var theme: Theme

    static let container = Container()

    func open() -> String { theme == .dark ? screen.title : "\(model == nil)" }
}
