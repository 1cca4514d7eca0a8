import Depin
import Testing

/// A way to go wrong that a user meets, with the message that it must give.
struct Situation: Sendable, CustomTestStringConvertible {
    /// Names the golden file.
    let name: String
    /// Goes wrong: by throwing, or by stopping the program.
    let run: @Sendable (Form) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Form) throws -> Void) {
        self.name = name
        self.run = run
    }

    var testDescription: String { name }

    static func named(_ name: String) -> Situation {
        guard let situation = all.first(where: { $0.name == name }) else {
            preconditionFailure("no situation is called \(name)")
        }
        return situation
    }

    static let all = missing + nearMisses + elsewhere + circular + failing + scopes + collections

    /// The strength in which everything in a situation is asked for.
    enum Form: String, CaseIterable {
        case caught, trap

        @discardableResult
        func ask<Service, each Argument>(
            _ resolver: any Resolver,
            _ type: Service.Type,
            name: String? = nil,
            _ arguments: repeat each Argument,
            file: StaticString = #fileID,
            line: UInt = #line
        ) throws -> Service {
            switch self {
            case .caught:
                try resolver.require(
                    type,
                    name: name,
                    arguments: repeat each arguments,
                    file: file,
                    line: line
                )
            case .trap:
                resolver ~> (type, name: name, arguments: (repeat each arguments))
            }
        }
    }
}

// MARK: - What the situations ask for

protocol API: Sendable {}
final class LiveAPI: API {}
protocol Store<Item>: Sendable {
    associatedtype Item
}
struct Emitter<Event>: Sendable {}

final class FeedService: Sendable {
    init() {}
    init(api: any API) {}
}
final class FeedScreen: Sendable {
    init(feed: FeedService) {}
}
final class Profile: Sendable {}
final class Pager: Sendable {
    init(size: Int = 20) {}
}

enum News {
    struct Item: Sendable {}
}
enum Shop {
    struct Item: Sendable {}
}

enum Bus: String, ServiceName { case refresh, logout }

struct OutOfDisk: Error {}

final class PaymentsScreen {
    @Injected(Bus.refresh) var refresh: Emitter<Void>
    @Injected var api: any API
}

final class ProvidedScreen {
    @Injected var api: Provider<any API>
}

struct ProvidedAPI: Sendable {
    let api: Provider<any API>
}

final class Node: Sendable {
    init(_: Any...) {}
}
final class Left: Sendable {}
final class Middle: Sendable {}
final class Right: Sendable {}

extension SpaceValues {
    enum PaymentsKey: SpaceKey {
        static let defaultValue = Assembler()
    }
    var paymentsAssembler: Assembler {
        get { self[PaymentsKey.self] }
        set { self[PaymentsKey.self] = newValue }
    }
}

extension Situation {
    static let missing = [
        Situation("nothing registered at all") { form in
            try form.ask(Container(), (any API).self)
        },
        Situation("nothing like it registered") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }
            try form.ask(container, (any API).self)
        },
        Situation("missing under two factories") { form in
            let container = Container()
            container.register(FeedScreen.self) { r in
                FeedScreen(feed: try form.ask(r, FeedService.self))
            }
            container.register(FeedService.self) { r in
                FeedService(api: try form.ask(r, (any API).self))
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("missing under two initializers") { form in
            let container = Container()
            container.autoregister(FeedScreen.self, initializer: FeedScreen.init)
            container.autoregister(FeedService.self) { FeedService(api: $0) }
            try form.ask(container, FeedScreen.self)
        },
        Situation("missing for a parameter that has a default value") { form in
            let container = Container()
            container.autoregister(Pager.self, initializer: Pager.init)
            try form.ask(container, Pager.self)
        },
        Situation("missing in initCompleted") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }
                .initCompleted { r, _ in use(r ~> (any API).self) }
            if form == .caught {
                // A callback cannot throw, so only the trap tells.
                throw Skipped()
            }
            try form.ask(container, Profile.self)
        },
        Situation("missing in a factory of a parent, for a child") { form in
            let parent = Container()
            parent.register(FeedService.self) { r in
                FeedService(api: try form.ask(r, (any API).self))
            }
            try form.ask(Container(parent: parent), FeedService.self)
        },
        Situation("missing with name and arguments") { form in
            try form.ask(Container(), Profile.self, name: "guest", 1, "a", nil as Int?)
        },
        Situation("missing and hard to read") { form in
            try form.ask(
                Container(),
                Emitter<[String: (any Store<[Int]>)?]>.self,
                {} as @Sendable () -> Void
            )
        },
        Situation("missing in a Lazy") { form in
            let container = Container()
            container.register((any API).self, name: "live") { LiveAPI() }
            try form.ask(container, Lazy<any API>.self)
        },
        Situation("missing in a Provider") { form in
            try form.ask(Container(), Provider<any API>.self)
        },
        Situation("missing in a ServiceFactory") { form in
            let container = Container()
            container.register(FeedService.self) { FeedService() }
            try form.ask(container, ServiceFactory<Profile, Int, String>.self)
        },
        Situation("missing when a ServiceFactory is called") { form in
            let container = Container()
            container.register(Profile.self) { (r, _: Int) in
                try form.ask(r, (any API).self)
                return Profile()
            }
            container.register(FeedScreen.self) { r in
                let profiles = try form.ask(r, ServiceFactory<Profile, Int>.self)
                switch form {
                case .caught: _ = try profiles.require(7)
                case .trap: _ = profiles(7)
                }
                return FeedScreen(feed: FeedService())
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("missing for an @Injected property") { form in
            guard form == .trap else { throw Skipped() }
            withSpace(\.dependenciesContainer, Container()) { use(PaymentsScreen().api) }
        },
        Situation("missing for an @Injected property in a factory") { form in
            guard form == .trap else { throw Skipped() }
            let container = Container()
            container.register(Profile.self) {
                use(PaymentsScreen().refresh)
                return Profile()
            }
            container.register(Emitter<Void>.self, name: Bus.refresh) { r in
                use(r ~> (any API).self)
                return Emitter()
            }
            withSpace(\.dependenciesContainer, container) { use(container ~> Profile.self) }
        },
        Situation("missing for an @Injected Provider when it is used") { form in
            guard form == .trap else { throw Skipped() }
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            withSpace(\.dependenciesContainer, container) {
                let screen = ProvidedScreen()
                _ = screen.api.instance
                container.unregister((any API).self)
                use(screen.api.instance)
            }
        },
        Situation("missing for the Provider of a factory when it is used") { form in
            guard form == .trap else { throw Skipped() }
            let container = Container()
            container.register((any API).self) { LiveAPI() }
            container.register(ProvidedAPI.self) { r in ProvidedAPI(api: r()) }
            let provided = container(ProvidedAPI.self)
            container.unregister((any API).self)
            use(provided.api.instance)
        },
        Situation("missing for a call of the resolver") { form in
            guard form == .trap else { throw Skipped() }
            let container = Container()
            container.register(FeedScreen.self) { r in FeedScreen(feed: r()) }
            container.register(FeedService.self) { r in FeedService(api: r((any API).self)) }
            use(container(FeedScreen.self))
        },
        Situation("missing for autoResolve") { form in
            guard form == .trap else { throw Skipped() }
            let _: Emitter<Void> = Container().autoResolve(name: Bus.logout)
        },
    ]
}

func use(_: Any) {}

/// Thrown where a situation does not exist in one of the forms.
struct Skipped: Error {}
