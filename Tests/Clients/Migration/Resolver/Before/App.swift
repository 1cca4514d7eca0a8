import NewsServices
import Resolver

// The app as it is written for Resolver.

extension Resolver: ResolverRegistering {
    package static func registerAllServices() {
        register { MemoryLog() as Log }.scope(.application)
        register(name: .audit) { MemoryLog() as Log }.scope(.application)
        register { LiveAPI(log: resolve()) }
            .implements(API.self).scope(.application)
        register { Session() }.scope(.login)
        register { LiveFeed(api: resolve(), session: resolve()) as Feed }
        register { (_, args) in
            LiveProfile(api: resolve(), id: args()) as Profile
        }
        register { Page() }.scope(.unique)
        register { Digest(news: resolve(), sports: resolve()) }
        register { Pictures() }.scope(.shared)
    }
}

extension Resolver.Name {
    static let audit = Self("audit")
}

extension ResolverScope {
    static let login = ResolverScopeCache()
}

final class NewsModel {
    @Injected var feed: Feed
    @LazyInjected var log: Log
    @Injected(name: .audit) var audit: Log
    @OptionalInjected var analytics: Analytics?
    @Injected var pictures: Pictures

    func titles() -> [String] { feed.api.titles() }

    func open(id: Int) -> String {
        let profile: Profile = Resolver.resolve(args: id)
        return profile.title
    }

    func logOut() {
        audit.write("logged out")
        ResolverScope.login.reset()
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
    let digest: Digest = Resolver.resolve()
    lines += [digest.advance(), digest.advance()]
    lines.append("pictures while shown: \(model.pictures === second.pictures)")
    lines.append("log: \(model.log.lines.joined(separator: ", "))")
    lines.append("audit: \(model.audit.lines.joined(separator: ", "))")
    lines.append(model.analytics == nil ? "not tracked" : "tracked")
    return lines
}
