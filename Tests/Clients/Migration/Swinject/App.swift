// swift-format-ignore-file: NeverForceUnwrap

import Depin  // was: import Swinject, import SwinjectAutoregistration
import NewsServices

// The app as it is written for Swinject, but for the import: nothing else has changed.

final class NewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Log.self) { _ in MemoryLog() }
            .inObjectScope(.container)
        container.register(Log.self, name: "audit") { _ in MemoryLog() }
            .inObjectScope(.container)
        container.autoregister(API.self, initializer: LiveAPI.init)
            .inObjectScope(.container)
        container.register(Session.self) { _ in Session() }
            .inObjectScope(.login)
        container.register(Feed.self) { r in
            LiveFeed(api: r.resolve(API.self)!, session: r.resolve(Session.self)!)
        }
        container.register(Profile.self) { (r: Resolver, id: Int) in
            LiveProfile(api: r.resolve(API.self)!, id: id)
        }
        container.register(Page.self) { _ in Page() }.inObjectScope(.transient)
        container.autoregister(Digest.self, initializer: Digest.init)
        container.register(Pictures.self) { _ in Pictures() }.inObjectScope(.weak)
    }
}

final class ScreenAssembly: Assembly {
    func assemble(container: Container) {
        container.register(NewsModel.self) { r in
            NewsModel(
                feed: r ~> Feed.self,
                log: r ~> Log.self,
                audit: r ~> (Log.self, name: "audit"),
                analytics: r.resolve(Analytics.self),
                pictures: r ~> Pictures.self
            )
        }
        .initCompleted { r, model in
            model.router = r.resolve(Router.self)
        }
        container.register(Router.self) { r in
            Router(model: r.resolve(NewsModel.self)!)
        }
    }
}

extension ObjectScope {
    static let login = ObjectScope(storageFactory: PermanentStorage.init, description: "login")
}

final class Router {
    let model: NewsModel

    init(model: NewsModel) { self.model = model }
}

final class NewsModel {
    let feed: Feed
    let log: Log
    let audit: Log
    let analytics: Analytics?
    let pictures: Pictures
    weak var router: Router?

    init(feed: Feed, log: Log, audit: Log, analytics: Analytics?, pictures: Pictures) {
        self.feed = feed
        self.log = log
        self.audit = audit
        self.analytics = analytics
        self.pictures = pictures
    }

    func titles() -> [String] { feed.api.titles() }
}

func report(_ assembler: Assembler, _ container: Container) -> [String] {
    let resolver = assembler.resolver
    let router = resolver.resolve(Router.self)!
    let model = router.model
    let profile = resolver.resolve(Profile.self, argument: 7)!
    var lines = [model.titles().joined(separator: ", "), profile.title]
    let second = resolver.resolve(NewsModel.self)!
    lines.append("one API: \(model.feed.api === second.feed.api && model.router === router)")
    let isOne = model.feed.session === second.feed.session
    model.audit.write("logged out")
    container.resetObjectScope(.login)
    let isKept = model.feed.session === resolver.resolve(Session.self)
    lines.append("one session: \(isOne), after logout: \(isKept)")
    let digest = resolver.resolve(Digest.self)!
    lines += [digest.advance(), digest.advance()]
    lines.append("pictures while shown: \(model.pictures === second.pictures)")
    lines.append("log: \(model.log.lines.joined(separator: ", "))")
    lines.append("audit: \(model.audit.lines.joined(separator: ", "))")
    lines.append(model.analytics == nil ? "not tracked" : "tracked")
    return lines
}
