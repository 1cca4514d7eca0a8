import Depin
import NewsServices

// The app that was written for Resolver, as it is written for Depin.

struct NewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Log.self) { MemoryLog() }.inObjectScope(.container)
        container.register(Log.self, name: LogName.audit) { MemoryLog() }
            .inObjectScope(.container)
        container.register(LiveAPI.self) { r in LiveAPI(log: r~>) }
            .implements(API.self).inObjectScope(.container)
        container.register(Session.self) { Session() }.inObjectScope(.login)
        container.register(Feed.self) { r in LiveFeed(api: r~>, session: r~>) }
        container.register(Profile.self) { r, id in
            LiveProfile(api: r~>, id: id)
        }
        container.register(Page.self) { Page() }.inObjectScope(.transient)
        container.register(Digest.self) { r in Digest(news: r~>, sports: r~>) }
        container.register(Pictures.self) { Pictures() }.inObjectScope(.weak)
    }
}

enum LogName: String, ServiceName { case audit }

extension ObjectScope {
    static let login = ObjectScope(named: "login")
}

final class NewsModel {
    @Injected var feed: Feed
    @Injected var log: Log
    @Injected(LogName.audit) var audit: Log
    @Injected var analytics: Analytics?
    @Injected var pictures: Pictures
    @Space(\.dependenciesContainer) private var container

    func titles() -> [String] { feed.api.titles() }

    func open(id: Int) -> String {
        let profile = container ~> (Profile.self, argument: id)
        return profile.title
    }

    func logOut() {
        audit.write("logged out")
        container.resetObjectScope(.login)
    }
}

func report() -> [String] {
    let model = NewsModel()
    var lines = [model.titles().joined(separator: ", "), model.open(id: 7)]
    let second = NewsModel()
    lines.append("one API: \(model.feed.api === second.feed.api)")
    let isOne = model.feed.session === second.feed.session
    model.logOut()
    let isKept = model.feed.session === NewsModel().feed.session
    lines.append("one session: \(isOne), after logout: \(isKept)")
    let digest = SpaceValues.current.dependenciesContainer ~> Digest.self
    lines += [digest.advance(), digest.advance()]
    lines.append("pictures while shown: \(model.pictures === second.pictures)")
    lines.append("log: \(model.log.lines.joined(separator: ", "))")
    lines.append("audit: \(model.audit.lines.joined(separator: ", "))")
    lines.append(model.analytics == nil ? "not tracked" : "tracked")
    return lines
}
