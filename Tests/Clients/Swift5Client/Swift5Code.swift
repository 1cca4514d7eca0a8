import Depin

// What only Swift 5 mode allows, or allows without a warning.

struct GreetingKey: SpaceKey {
    static var defaultValue: String = "Hello"
}

class OldSettings {
    static var shared = OldSettings()
    @Space(\.greeting) static var greeting: String
    @Injected static var feed: FeedService
    var volume = 1
}

extension SpaceValues {
    var greeting: String {
        get { self[GreetingKey.self] }
        set { self[GreetingKey.self] = newValue }
    }
}

func registerNestedFunction(in container: Container) {
    let settings = OldSettings()
    func nested(_ r: Resolver, name: String) -> Animal {
        settings.volume += 1
        return Cat(resolver: r, name: name)
    }
    container.register(Animal.self, name: "nested", factory: nested)
}

func registerMutableState(in container: Container) {
    var built = 0
    let settings = OldSettings()
    container.register(Int.self) { _ in
        built += 1
        settings.volume += 1
        return built
    }
}
