import Depin  // was: import Depin, of version 3
import NewsServices

// The app as it is written for Depin 3: nothing has changed, not even the import's name.

final class NewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Log.self) { _ in MemoryLog() }.inObjectScope(.container)
        container.register(Log.self, name: .audit) { MemoryLog() }.inObjectScope(.container)
        container.register(API.self) { r in LiveAPI(log: r ~> Log.self) }
            .inObjectScope(.container)
        container.register(Session.self) { Session() }.inObjectScope(.login)
        container.autoregister(Feed.self, initializer: LiveFeed.init)
        container.register(Profile.self) { r, id in LiveProfile(api: r ~> API.self, id: id) }
        container.register(Page.self) { _ in Page() }.inObjectScope(.transient)
        container.register(Digest.self) { r in Digest(news: r~>, sports: r~>) }
        container.register(Pictures.self) { _ in Pictures() }.inObjectScope(.weak)
    }
}

enum LogName: String, ServiceName { case audit }

extension Injected {
    convenience init(_ name: LogName) { self.init(name as ServiceName) }
}

extension Container {
    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: LogName,
        factory: @escaping () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name.name) { _ in factory() }
    }
}

extension ObjectScope {
    static let login = ObjectScope(storageFactory: PermanentStorage.init, description: "login")
}

struct LimitKey: SpaceKey {
    static var defaultValue: Int { 20 }
}

extension SpaceValues {
    var limit: Int {
        get { self[LimitKey.self] }
        set { self[LimitKey.self] = newValue }
    }
}

final class NewsModel {
    @Injected var feed: Feed
    @Injected var log: Log
    @Injected(.audit) var audit: Log
    @Injected var analytics: Analytics?
    @Injected var pictures: Pictures
    @Space(\.limit) var limit
    @Space(\.dependenciesContainer) var container: Container

    func titles() -> [String] { Array(feed.api.titles().prefix(limit)) }
    func open(id: Int) -> String { (container ~> (Profile.self, argument: id)).title }

    func logOut() {
        audit.write("logged out")
        container.resetObjectScope(.login)
    }
}

enum Launch {
    @Space(\.dependenciesAssembler) private static var assembler: Assembler

    static func start() {
        assembler.apply {
            NewsAssembly()
        }
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
    let digest = model.container ~> Digest.self
    lines += [digest.advance(), digest.advance()]
    lines.append("pictures while shown: \(model.pictures === second.pictures)")
    lines.append("log: \(model.log.lines.joined(separator: ", "))")
    lines.append("audit: \(model.audit.lines.joined(separator: ", "))")
    lines.append(model.analytics == nil ? "not tracked" : "tracked")
    return lines
}
