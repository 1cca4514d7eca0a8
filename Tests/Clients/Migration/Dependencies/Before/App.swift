import Dependencies
import NewsServices

// The app as it is written for swift-dependencies: it keeps values, each live, fake or overridden.

struct LogKey: DependencyKey {
    static let liveValue: any Log = MemoryLog()
    static var testValue: any Log { MemoryLog() }
}
struct AuditKey: DependencyKey {
    static let liveValue: any Log = MemoryLog()
    static var testValue: any Log { MemoryLog() }
}
struct APIKey: DependencyKey {
    static var liveValue: any API {
        @Dependency(\.log) var log
        return LiveAPI(log: log)
    }
    static let testValue: any API = FakeAPI()
}
struct ProfileClient: Sendable {
    var title: @Sendable (Int) -> String
}
extension ProfileClient: DependencyKey {
    static var liveValue: ProfileClient {
        @Dependency(\.api) var api
        return ProfileClient { LiveProfile(api: api, id: $0).title }
    }
    static var testValue: ProfileClient { liveValue }
}
struct LimitKey: DependencyKey {
    static let liveValue = 20
    static let testValue = 20
}

extension DependencyValues {
    var log: any Log {
        get { self[LogKey.self] }
        set { self[LogKey.self] = newValue }
    }
    var audit: any Log {
        get { self[AuditKey.self] }
        set { self[AuditKey.self] = newValue }
    }
    var api: any API {
        get { self[APIKey.self] }
        set { self[APIKey.self] = newValue }
    }
    var limit: Int {
        get { self[LimitKey.self] }
        set { self[LimitKey.self] = newValue }
    }
}

final class NewsModel {
    @Dependency(\.api) var api
    @Dependency(\.log) var log
    @Dependency(\.audit) var audit
    @Dependency(ProfileClient.self) var profiles
    @Dependency(\.limit) var limit

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
