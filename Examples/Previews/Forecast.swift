import Depin

protocol Forecast: Sendable {
    var sky: Sky { get }
}

enum Sky: String {
    case rain, sun, unknown
}

/// Stands for the one that asks a server.
struct LiveForecast: Forecast {
    let sky = Sky.rain
}

struct OfflineForecast: Forecast {
    let sky = Sky.unknown
}

struct ForecastAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Forecast.self) { LiveForecast() }
    }
}

/// What is applied later wins, so this need not know what it replaces.
struct OfflineAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Forecast.self) { OfflineForecast() }
    }
}
