// Part of the stand-in: see Container.swift.

/// For how long a factory's instance is kept.
package class Scope: Hashable, @unchecked Sendable {
    fileprivate init() {}

    /// Kept until the container is reset; an app makes its own of these.
    package final class Cached: Scope, @unchecked Sendable {
        package override init() {}
    }

    package static func == (a: Scope, b: Scope) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func instance<T>(of key: String, in manager: ContainerManager, make: () -> T) -> T {
        if let kept = manager.cached[self]?[key] as? T { return kept }
        let made = make()
        manager.cached[self, default: [:]][key] = made
        return made
    }

    func drop(_ key: String, in manager: ContainerManager) {
        manager.cached[self]?[key] = nil
    }
}

extension Scope {
    package static let cached = Cached()
    /// One for the process, or for a test.
    @TaskLocal package static var singleton: Scope = Singleton()
    package static let shared: Scope = Shared()
    package static let graph: Scope = Graph()
    package static let unique: Scope = Unique()
}

/// One instance, whatever the container; no container's reset drops it.
package final class Singleton: Scope, @unchecked Sendable {
    private let manager = ContainerManager()

    package override init() {}

    override func instance<T>(of key: String, in _: ContainerManager, make: () -> T) -> T {
        super.instance(of: key, in: manager, make: make)
    }

    override func drop(_ key: String, in _: ContainerManager) {
        super.drop(key, in: manager)
    }
}

/// One instance for as long as somebody holds it.
private final class Shared: Scope, @unchecked Sendable {
    struct Reference { weak var object: AnyObject? }

    override func instance<T>(of key: String, in manager: ContainerManager, make: () -> T) -> T {
        let reference = manager.cached[self]?[key] as? Reference
        if let kept = reference?.object as? T { return kept }
        let made = make()
        manager.cached[self, default: [:]][key] = Reference(object: made as AnyObject)
        return made
    }
}

/// One instance for each resolution that did not begin inside another one.
private final class Graph: Scope, @unchecked Sendable {
    override func instance<T>(of key: String, in _: ContainerManager, make: () -> T) -> T {
        super.instance(of: key, in: Resolutions.graph, make: make)
    }
}

private final class Unique: Scope, @unchecked Sendable {
    override func instance<T>(of _: String, in _: ContainerManager, make: () -> T) -> T { make() }
}

/// Guarded by `resolutionLock`.
enum Resolutions {
    static let graph = ContainerManager()
    static var depth = 0

    static func run<T>(_ body: () -> T) -> T {
        resolutionLock.withLock {
            depth += 1
            defer {
                depth -= 1
                if depth == 0 { graph.reset() }
            }
            return body()
        }
    }
}
