import Depin
import Foundation
import Synchronization

// What the tests of this target share: a small app with one root, three services and a theme.
//
//     Screen ── @Injected ──► Feed ──► API
//        └───── @Injected ──► Marker ◄── @Injected ── Feed

protocol API: Sendable {
    var name: String { get }
}

struct LiveAPI: API {
    let name = "live"
}

struct FakeAPI: API {
    var name = "fake"
}

final class Feed: Sendable {
    let api: any API
    /// Is asked at its first access, wherever that is.
    private let injectedMarker = Injected<Marker>()

    var marker: Marker { injectedMarker.wrappedValue }

    init(api: any API) {
        self.api = api
    }
}

/// Tells one test case's world from another's.
final class Marker: Sendable {
    private static let count = Atomic<Int>(0)

    let number: Int

    init() {
        number = Marker.count.add(1, ordering: .relaxed).newValue
    }
}

final class Screen: Sendable {
    private let injectedFeed = Injected<Feed>()
    private let injectedMarker = Injected<Marker>()

    var feed: Feed { injectedFeed.wrappedValue }
    var marker: Marker { injectedMarker.wrappedValue }
}

struct AppAssembly: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { LiveAPI() }
        container.register(Feed.self) { resolver in Feed(api: resolver ~> API.self) }
            .inObjectScope(.container)
        container.register(Marker.self) { Marker() }
            .inObjectScope(.container)
    }
}

struct FakeNetwork: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { FakeAPI() }
    }
}

enum ThemeKey: SpaceKey {
    static var defaultValue: String { "light" }
}

enum LanguageKey: SpaceKey {
    static var defaultValue: String { "en" }
}

enum MarkerKey: SpaceKey {
    static var defaultValue: Marker { Marker() }
}

extension SpaceValues {
    var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }

    var language: String {
        get { self[LanguageKey.self] }
        set { self[LanguageKey.self] = newValue }
    }

    var marker: Marker {
        get { self[MarkerKey.self] }
        set { self[MarkerKey.self] = newValue }
    }
}

/// Finds out whether a number comes twice, from whatever thread.
final class SharedNumbers: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: Set<Int> = []  // guarded by lock

    /// True when the number is new.
    func insert(_ number: Int) -> Bool {
        lock.withLock { numbers.insert(number).inserted }
    }
}

/// A variable for several tasks.
final class SharedValue<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value  // guarded by lock

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
