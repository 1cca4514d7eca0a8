import Depin
import NewsServices

// The app that was written for swift-dependencies, as it is written for Depin: what is made of other
// things is a service, what stands by itself is a value of the space.

struct NewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Log.self) { MemoryLog() }.inObjectScope(.container)
        container.register(Log.self, name: LogName.audit) { MemoryLog() }
            .inObjectScope(.container)
        container.register(API.self) { r in LiveAPI(log: r ~> Log.self) }
            .inObjectScope(.container)
        container.register(ProfileClient.self) { r in
            let api = r ~> API.self
            return ProfileClient { LiveProfile(api: api, id: $0).title }
        }
    }
}

enum LogName: String, ServiceName { case audit }

struct ProfileClient: Sendable {
    var title: @Sendable (Int) -> String
}

enum LimitKey: SpaceKey {
    static var defaultValue: Int { 20 }
}
extension SpaceValues {
    var limit: Int {
        get { self[LimitKey.self] }
        set { self[LimitKey.self] = newValue }
    }
}

final class NewsModel {
    @Injected var api: API
    @Injected var log: Log
    @Injected(LogName.audit) var audit: Log
    @Injected var profiles: ProfileClient
    @Space(\.limit) var limit

    func titles() -> [String] { Array(api.titles().prefix(limit)) }
    func open(id: Int) -> String { profiles.title(id) }
    func logOut() { audit.write("logged out") }
}

func report() -> [String] {
    let model = NewsModel()
    var lines = [model.titles().joined(separator: ", "), model.open(id: 7)]
    model.logOut()
    lines.append("one API: \(model.api === NewsModel().api)")
    lines.append("log: \(model.log.lines.joined(separator: ", "))")
    lines.append("audit: \(model.audit.lines.joined(separator: ", "))")
    return lines
}
