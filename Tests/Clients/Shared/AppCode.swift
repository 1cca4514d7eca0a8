// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import Depin

// What an app writes around Depin: shorthand for its names, types of every kind that have
// services injected, values of the space, and the places where a container or assembler is kept.

// MARK: Shorthand, exactly as the documentation gives it

enum FeedBus: String, ServiceName {
    case refresh, logout
}

extension Injected {
    convenience init(_ name: FeedBus) { self.init(name as ServiceName) }
}

extension Container {
    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: FeedBus,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name as ServiceName, factory: factory)
    }

    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: FeedBus,
        factory: @escaping () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name as ServiceName, factory: factory)
    }
}

/// Names with the shorthand that shows the property's own file and line in messages.
///
/// `nonisolated`, so that actors can use it in a module whose default is the main actor.
nonisolated enum StoreName: String, ServiceName {
    case drafts, entries
}

nonisolated extension Injected {
    convenience init(_ name: StoreName, file: StaticString = #fileID, line: UInt = #line) {
        self.init(name as ServiceName, file: file, line: line)
    }
}

/// A name that is no enum.
struct UserStoreName: ServiceName {
    var user: Int
    var name: String { "store-\(user)" }
}

// MARK: Services

nonisolated protocol FeedService: Sendable {
    func titles() -> [String]
}

nonisolated struct LiveFeed: FeedService {
    func titles() -> [String] { ["Rain until Friday"] }
}

protocol Analytics: Sendable {
    func track(_ event: String)
}

nonisolated final class Session: Sendable {
    init() {}
}

/// A service that is not `Sendable`.
nonisolated class EventEmitter<Event> {
    var subscribers: [(Event) -> Void] = []
    init() {}
}

// MARK: Types with injected properties

@MainActor
final class FeedViewModel {
    @Injected private var feed: FeedService
    @Injected(.refresh) private var refresh: EventEmitter<Void>
    @Space(\.theme) private var theme: Theme

    func load() -> [String] {
        refresh.subscribers.append { _ in }
        return theme == .dark ? [] : feed.titles()
    }
}

actor FeedDownloader {
    @Injected private var feed: FeedService
    @Injected(.drafts) private var drafts: EventEmitter<String>

    func download() -> [String] {
        drafts.subscribers.removeAll()
        return feed.titles()
    }
}

struct FeedReader: Sendable {
    @Injected private var feed: FeedService
    @Injected private var analytics: Analytics?

    func read() -> [String] {
        analytics?.track("read")
        return feed.titles()
    }
}

class FeedController {
    @Injected private var feed: FeedService
    @Injected(FeedBus.refresh) private var refresh: EventEmitter<Void>
    @Injected(.drafts) private var drafts: EventEmitter<String>
    @Injected(UserStoreName(user: 7)) private var store: EventEmitter<Int>
    @Injected private var session: Provider<Session>
    @Injected private var later: Lazy<Session>
    @Injected(assembler: \.paymentsAssembler) private var payments: FeedService

    init() {}

    func start() -> Session {
        refresh.subscribers.append { _ in }
        drafts.subscribers.append { _ in }
        store.subscribers.append { _ in }
        return later.instance === session.instance ? later.instance : session.instance
    }

    func pay() -> [String] { payments.titles() + feed.titles() }
}

/// The language allows no wrapper on a `let`, so a `Sendable` class keeps the wrapper itself.
final class FeedRefresher: Sendable {
    private let feed = Injected<FeedService>()

    func refresh() -> [String] { feed.wrappedValue.titles() }
}

// MARK: Values of the space

enum Theme {
    case light, dark
}

enum ThemeKey: SpaceKey {
    static var defaultValue: Theme { .light }
}

/// A key as older code has it, for a value that is not `Sendable`.
struct FormatterKey: SpaceKey {
    static var defaultValue: Formatter { Formatter() }
}

class Formatter {
    var width = 80
}

struct PaymentsAssemblerKey: SpaceKey {
    static let defaultValue = Assembler()
}

extension SpaceValues {
    var theme: Theme {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }

    var formatter: Formatter {
        get { self[FormatterKey.self] }
        set { self[FormatterKey.self] = newValue }
    }

    var paymentsAssembler: Assembler {
        get { self[PaymentsAssemblerKey.self] }
        set { self[PaymentsAssemblerKey.self] = newValue }
    }
}

// MARK: Where the container is kept

enum Dependencies {
    static let container = Container()
    static let assembler = Assembler([FeedAssembly()], container: container)
}

class Coordinator {
    static let container = Container()
    static let filled = Container { container in
        container.register(FeedService.self) { LiveFeed() }
    }
}

@MainActor
enum Launch {
    @Space(\.dependenciesAssembler) private static var assembler: Assembler
    @Space(\.dependenciesContainer) private static var container: Container

    static func run(preview: Bool) {
        assembler.apply {
            FeedAssembly()
            if preview {
                PreviewAssembly()
            }
        }
        container.register(Session.self) { Session() }.inObjectScope(.session)
        container.resetObjectScope(.session)
        SpaceValues.updateShared { $0.theme = .dark }
    }
}

extension ObjectScope {
    static let session = ObjectScope(named: "session")
}

struct FeedAssembly: Assembly {
    func assemble(container: Container) {
        container.register(FeedService.self) { LiveFeed() }
        container.register(EventEmitter<Void>.self, name: .refresh) { EventEmitter() }
            .inObjectScope(.container)
        container.register(EventEmitter<Void>.self, name: .logout) { _ in EventEmitter() }
            .inObjectScope(.container)
        container.register(EventEmitter<String>.self, name: StoreName.drafts) { EventEmitter() }
        container.register(Session.self, instance: Session())
    }
}

struct PreviewAssembly: Assembly {
    func assemble(container: Container) {}
    func loaded(resolver: Resolver) {
        let feed = resolver ~> FeedService.self
        print(feed.titles())
    }
}

// MARK: Swapping

/// Every form of `withSpace`, without an `async` in sight.
@MainActor
func swap() throws {
    withSpace(\.theme, .dark) { _ = FeedReader().read() }
    withSpace {
        $0.theme = .dark
        $0.formatter = Formatter()
    } operation: {
        _ = FeedReader().read()
    }
    let captured = SpaceValues.current
    withSpace(captured) { _ = FeedReader().read() }
    let titles = withSpace(overriding: { $0.register(FeedService.self) { LiveFeed() } }) {
        FeedReader().read()
    }
    withSpace(\.dependenciesAssembler, Assembler([FeedAssembly()])) { print(titles) }
    try withSpace(\.theme, .dark) { throw CancellationError() }
}

/// The same with `async` operations, isolated as their caller is.
@MainActor
func swapAsync() async throws {
    let model = FeedViewModel()
    let downloader = FeedDownloader()
    await withSpace(\.theme, .dark) {
        _ = model.load()
        _ = await downloader.download()
    }
    await withSpace {
        $0.theme = .dark
    } operation: {
        _ = await downloader.download()
    }
    let captured = SpaceValues.current
    let titles = await withSpace(captured) { await downloader.download() }
    await withSpace(overriding: { $0.register(FeedService.self) { LiveFeed() } }) {
        _ = await downloader.download()
    }
    try await withSpace(\.theme, .dark) {
        print(titles, model.load(), await downloader.download())
        throw CancellationError()
    }
}
