import FactoryKit
import NewsServices

// The app as it is written for Factory.

extension Container {
    var log: Factory<Log> { self { MemoryLog() }.singleton }
    var audit: Factory<Log> { self { MemoryLog() }.cached }
    var api: Factory<API> { self { LiveAPI(log: self.log()) }.singleton }
    var session: Factory<Session> { self { Session() }.scope(.login) }
    var feed: Factory<Feed> {
        self { LiveFeed(api: self.api(), session: self.session()) }
    }
    var profile: ParameterFactory<Int, Profile> {
        self { LiveProfile(api: self.api(), id: $0) }
    }
    var page: Factory<Page> { self { Page() } }
    var digest: Factory<Digest> {
        self { Digest(news: self.page(), sports: self.page()) }
    }
    var pictures: Factory<Pictures> { self { Pictures() }.shared }
    var analytics: Factory<Analytics?> { self { nil } }
}

extension Scope {
    static let login = Cached()
}

final class NewsModel {
    @Injected(\.feed) var feed
    @LazyInjected(\.log) var log
    @Injected(\.audit) var audit
    @Injected(\.analytics) var analytics
    @Injected(\.pictures) var pictures

    func titles() -> [String] { feed.api.titles() }
    func open(id: Int) -> String { Container.shared.profile(id).title }

    func logOut() {
        audit.write("logged out")
        Container.shared.manager.reset(scope: .login)
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
    let digest = Container.shared.digest()
    lines += [digest.advance(), digest.advance()]
    lines.append("pictures while shown: \(model.pictures === second.pictures)")
    lines.append("log: \(model.log.lines.joined(separator: ", "))")
    lines.append("audit: \(model.audit.lines.joined(separator: ", "))")
    lines.append(model.analytics == nil ? "not tracked" : "tracked")
    return lines
}
