import Depin

/// Knows nothing of tests, previews or launch arguments.
struct ForecastScreen {
    @Injected private var forecast: Forecast
    @Space(\.language) private var language
    @Space(\.now) private var now

    var text: String {
        "\(now()) \(words[forecast.sky] ?? "?")"
    }

    func show() {
        print(text)
    }

    private var words: [Sky: String] {
        language == "fr"
            ? [.rain: "Il pleut", .sun: "Il fait beau", .unknown: "Hors ligne"]
            : [.rain: "Rain", .sun: "Sunny", .unknown: "You are offline"]
    }
}
