import Depin

// The values of this app's space that are no services.

enum LanguageKey: SpaceKey {
    static var defaultValue: String { "en" }
}

enum NowKey: SpaceKey {
    /// Stands for a look at the clock.
    static var defaultValue: @Sendable () -> String { { "17:05" } }
}

extension SpaceValues {
    /// The language of the screens.
    var language: String {
        get { self[LanguageKey.self] }
        set { self[LanguageKey.self] = newValue }
    }

    /// Tells the time.
    var now: @Sendable () -> String {
        get { self[NowKey.self] }
        set { self[NowKey.self] = newValue }
    }
}
