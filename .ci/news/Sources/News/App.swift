import Depin
import DepinInspection
protocol API: Sendable {}
struct LiveAPI: API {}
protocol Ranking: Sendable {}
struct LiveRanking: Ranking { let api: any API }
protocol Feed: Sendable {}
struct LiveFeed: Feed {
    let api: any API
    let ranking: any Ranking
}
protocol Profile: Sendable {}
struct LiveProfile: Profile { let id: Int }
final class User: Sendable {}
final class Tracker: Sendable { init(user: User) {} }
@MainActor final class FeedModel { init(feed: any Feed) {} }
extension ObjectScope { static let session = ObjectScope(named: "session") }
final class Left: Sendable { init(right: Right) {} }
final class Right: Sendable { init(left: Left) {} }
struct Offline: Error, CustomStringConvertible { var description: String { "the network is down" } }

struct NewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(LiveAPI.self) { LiveAPI() }
        container.register(API.self, name: "live") { LiveAPI() }
        container.autoregister(Ranking.self, initializer: LiveRanking.init)
        container.autoregister(Feed.self, initializer: LiveFeed.init)
        container.register(Profile.self) { (_: Resolver, id: Int) in LiveProfile(id: id) }
    }
}

struct CircularAssembly: Assembly {
    func assemble(container: Container) {
        container.autoregister(Left.self, initializer: Left.init)
        container.autoregister(Right.self, initializer: Right.init)
    }
}

struct ShopAssembly: Assembly {
    func assemble(container: Container) {
        container.register(User.self) { User() }.inObjectScope(.session)
        container.autoregister(Tracker.self, initializer: Tracker.init)
            .inObjectScope(.container)
        container.autoregister(Ranking.self, initializer: LiveRanking.init)
        container.register(Tracker.self) { r in try Tracker(user: r.require(User.self)) }
            .inObjectScope(.container)
    }
}

struct FeedScreen {
    @Injected var feed: Feed
}

@main @MainActor
enum App {
    static func main() {
        let container = Container()
        let assembler = Assembler(container: container)
        switch CommandLine.arguments.dropFirst().first {
        case "nothing": _ = withSpace(\.dependenciesContainer, container) { FeedScreen().feed }
        case "path":
            assembler.apply(assembly: NewsAssembly())
            _ = withSpace(\.dependenciesContainer, container) { FeedScreen().feed }
        case "arguments":
            assembler.apply(assembly: NewsAssembly())
            show { _ = try container.require(Profile.self, argument: "7") }
        case "circle":
            assembler.apply(assembly: CircularAssembly())
            show { _ = try container.require(Left.self) }
        case "threw":
            container.register(API.self) { throw Offline() }
            container.autoregister(Ranking.self, initializer: LiveRanking.init)
            show { _ = try container.require(Ranking.self) }
        case "validate":
            assembler.apply(assembly: ShopAssembly())
            show { try container.validate() }
        case "trace":
            container.register(API.self) { LiveAPI() }.inObjectScope(.container)
            container.autoregister(Ranking.self, initializer: LiveRanking.init)
            container.autoregister(Feed.self, initializer: LiveFeed.init)
            let observation = container.addObserver(ResolutionTrace { print($0) })
            _ = container.resolve(Feed.self)
            observation.end()
            print(container.dependencyGraph().mermaid)
        default: print("no such case")
        }
    }

    private static func show(_ body: () throws -> Void) {
        do { try body() } catch { print(error) }
    }
}
