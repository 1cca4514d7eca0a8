import Foundation

// A stand-in for Factory 2, which cannot be fetched where this is built. It is not that library and
// shares no code with it: it declares, from what is publicly known, the names and signatures that the
// article on migration shows, and does what they are documented to do, no more.

/// What holds factories; an app adds them as properties.
package protocol SharedContainer: AnyObject {
    static var shared: Self { get }
    var manager: ContainerManager { get }
}

///
/// Unchecked, because its manager is only touched under `resolutionLock`.
package final class Container: SharedContainer, @unchecked Sendable {
    @TaskLocal package static var shared = Container()
    package let manager = ContainerManager()

    package init() {}
}

extension SharedContainer {
    package func callAsFunction<T>(
        key: String = #function,
        _ factory: @escaping () -> T
    ) -> Factory<T> {
        Factory(manager: manager, key: key, factory: factory)
    }

    package func callAsFunction<P, T>(
        key: String = #function,
        _ factory: @escaping (P) -> T
    ) -> ParameterFactory<P, T> {
        ParameterFactory(manager: manager, key: key, factory: factory)
    }

    /// A factory of nothing, until something is registered; in debug, an error until then.
    package func promised<T>(key: String = #function) -> Factory<T?> {
        Factory(manager: manager, key: key) {
            #if DEBUG
            fatalError("\(T.self) was not registered")
            #else
            nil
            #endif
        }
    }

    /// Forgets what was registered and cached, singletons excepted.
    package func reset() { manager.reset() }
}

/// The registrations and caches of a container.
package final class ContainerManager {
    var registered: [String: Any] = [:]
    var cached: [Scope: [String: Any]] = [:]
    private var pushed: [(registered: [String: Any], cached: [Scope: [String: Any]])] = []

    package func reset() {
        resolutionLock.withLock {
            registered = [:]
            cached = [:]
        }
    }

    package func reset(scope: Scope) {
        resolutionLock.withLock { cached[scope] = nil }
    }

    /// Remembers what is registered and cached.
    package func push() {
        resolutionLock.withLock { pushed.append((registered, cached)) }
    }

    /// Goes back to what was remembered last.
    package func pop() {
        resolutionLock.withLock {
            if let last = pushed.popLast() { (registered, cached) = last }
        }
    }
}

/// One for all containers, re-entrant: factories resolve while it is held.
let resolutionLock = NSRecursiveLock()
