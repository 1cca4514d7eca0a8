import Depin
import DepinInspection
import DepinTesting

// The programs whose pages are tested: here as text, and by `.ci/pictures.py` in a browser.

/// A shop with everything that a page marks.
///
///     CartScreen ─ cart: Cart ─ Checkout (for later) ─ Payments ─ API ─ Clock
///                                                          └───── Tokens (session): a captive
///     Chicken ⇄ Egg: a circle.  Catalog ─ Search: missing.  Poster: unreached.
enum Shop {
    struct CartScreen {
        @Injected var cart: Cart
        @Injected var catalog: Catalog?
        @Injected var chicken: Lazy<Chicken>
        @Injected var wallet: Wallet
    }

    final class Clock: Sendable {}
    final class Tokens: Sendable {}

    final class API: Sendable {
        init(clock: Clock) {}
    }

    final class Payments: Sendable {
        init(api: API, tokens: Tokens) {}
    }

    final class Checkout: Sendable {
        init(payments: Payments) {}
    }

    final class Cart: Sendable {
        init(checkout: Lazy<Checkout>, clock: Clock) {}
    }

    final class Chicken: Sendable {
        init(egg: Egg) {}
    }

    final class Egg: Sendable {
        init(chicken: Chicken) {}
    }

    struct Catalog: Sendable {
        init(search: Search) {}
    }

    final class Search: Sendable {}
    final class Wallet: Sendable {}
    struct Poster {}
    struct Receipt {}

    /// A name that would be markup, script and a right-to-left text if it were not escaped.
    static let hostileName =
        "</script><script>document.title = 'taken'</script><b>&\"\\\u{202E}\n\u{2028}"

    static var report: ValidationReport {
        let session = ObjectScope(named: "session")
        let parent = Container()
        parent.register(Clock.self, instance: Clock(), file: "ShopPlatform/Clock.swift", line: 3)
        parent.autoregister(
            API.self,
            initializer: API.init,
            file: "ShopPlatform/API.swift",
            line: 5
        )
        .inObjectScope(.container)
        let container = Container(parent: parent)
        container.autoregister(Cart.self, initializer: Cart.init).inObjectScope(.container)
        container.autoregister(Checkout.self, initializer: Checkout.init)
        container.register(Tokens.self) { Tokens() }.inObjectScope(session)
        container.autoregister(Payments.self, initializer: Payments.init).inObjectScope(.container)
        container.autoregister(Chicken.self, initializer: Chicken.init).inObjectScope(.weak)
        container.autoregister(Egg.self, initializer: Egg.init)
        container.autoregister(Catalog.self, initializer: Catalog.init)
        container.register(Poster.self, name: "front") { Poster() }.inObjectScope(.transient)
        container.register(Poster.self, name: hostileName) { throw Torn() }
        container.register(Receipt.self) { (_, _: Int, _: String) in Receipt() }
        do {
            return try container.validate(
                .init(
                    injected: InjectedProperty.ofThisProgram(modules: ["DepinInspectionTests"])
                        .filter { $0.owner == "Shop.CartScreen" }
                )
            )
        } catch let error as ValidationError {
            return error.report
        } catch {
            fatalError("\(error)")
        }
    }

    struct Torn: Error {}
}

/// Problems that only running factories shows.
enum Running {
    final class Left: Sendable {}
    final class Right: Sendable {}
    final class Absent: Sendable {}
    final class Needy: Sendable {}
    protocol Torn: Sendable {}
    final class Paper: Torn {}
    struct Form {
        @Injected var paper: Paper
        @Injected var elsewhere: Clock
    }
    protocol Clock: Sendable {}

    static var report: ValidationReport {
        let container = Container()
        container.register(Left.self) { r in
            _ = try r.require(Right.self)
            return Left()
        }
        container.register(Right.self) { r in
            _ = try r.require(Left.self)
            return Right()
        }
        container.register(Needy.self) { r in
            _ = try r.require(Absent.self)
            return Needy()
        }
        container.register(Paper.self, name: "blank") { throw CancellationError() }
            .implements((any Torn).self)
        container.register(Clock.self, name: "wall") { throw CancellationError() }
        do {
            return try container.validate(
                .init(
                    injected: InjectedProperty.ofThisProgram(modules: ["DepinInspectionTests"])
                        .filter { $0.owner == "Running.Form" }
                )
            )
        } catch let error as ValidationError {
            return error.report
        } catch {
            fatalError("\(error)")
        }
    }
}

/// A thousand services in twenty modules, with some four thousand needs.
enum Large {
    struct Part {}

    static var graph: DependencyGraph {
        get throws { try container.validate().graph }
    }

    private static var container: Container {
        let container = Container()
        let scopes: [ObjectScope] = [.container, .graph, .transient, .weak]
        for number in 0..<1000 {
            // Each needs some of its own module and of those below, as in a program of layers.
            let needed = Set(
                [number * 3 / 5, number / 2 - 1, number * 2 / 5, number / 3 - 1, number / 4]
                    .filter { 0 <= $0 && $0 < number }
            )
            container.register(
                Part.self,
                name: name(number),
                factory: { resolver in
                    for part in needed.sorted() {
                        _ = try resolver.require(Part.self, name: name(part))
                    }
                    return Part()
                },
                file: files[number * files.count / 1000],
                line: UInt(number + 1)
            )
            .inObjectScope(scopes[number % 7 % scopes.count])
        }
        return container
    }

    static func name(_ number: Int) -> String { "part \(number)" }

    private static let files: [StaticString] = [
        "Accounts/A.swift", "Billing/B.swift", "Cart/C.swift", "Delivery/D.swift", "Events/E.swift",
        "Feed/F.swift", "Gifts/G.swift", "Home/H.swift", "Images/I.swift", "Jobs/J.swift",
        "Keys/K.swift", "Links/L.swift", "Maps/M.swift", "News/N.swift", "Offers/O.swift",
        "Photos/P.swift", "Queue/Q.swift", "Reviews/R.swift", "Search/S.swift", "Tags/T.swift",
    ]
}

/// An app that warms up: Feed waits for Store, which waits for Settings; Fonts wait for nobody.
enum Launch {
    final class Settings: Sendable {}
    final class Store: Sendable {}
    final class Feed: Sendable {}
    final class Fonts: Sendable {}
    final class Part: Sendable {}

    static func report() async throws -> WarmUpReport {
        let container = Container()
        container.register(
            Settings.self,
            asyncFactory: { _ in
                try await Task.sleep(for: .milliseconds(10))
                return Settings()
            }
        )
        .inObjectScope(.container).eager()
        container.register(
            Store.self,
            asyncFactory: { resolver in
                _ = try await resolver.requireAsync(Settings.self)
                try await Task.sleep(for: .milliseconds(40))
                return Store()
            }
        )
        .inObjectScope(.container).eager()
        container.register(
            Feed.self,
            asyncFactory: { resolver in
                _ = try await resolver.requireAsync(Store.self)
                try await Task.sleep(for: .milliseconds(15))
                return Feed()
            }
        )
        .inObjectScope(.container).eager()
        container.register(
            Fonts.self,
            name: Shop.hostileName,
            asyncFactory: { _ in
                try await Task.sleep(for: .milliseconds(25))
                return Fonts()
            }
        )
        .inObjectScope(.container).eager()
        return try await container.warmUp()
    }

    /// A thousand services, each made at once.
    static func large() async throws -> WarmUpReport {
        let container = Container()
        for number in 0..<1000 {
            container.register(Part.self, name: Large.name(number)) { Part() }
                .inObjectScope(.container).eager()
        }
        return try await container.warmUp()
    }
}
