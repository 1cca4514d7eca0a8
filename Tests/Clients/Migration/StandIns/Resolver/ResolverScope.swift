import Foundation

// Part of the stand-in: see Resolver.swift.

package class ResolverScope: Hashable {
    fileprivate init() {}

    package static func == (a: ResolverScope, b: ResolverScope) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func instance<Service>(
        of key: String,
        in resolver: Resolver,
        make: () -> Service?
    ) -> Service? {
        make()
    }
}

/// Keeps its instances until it is reset; an app makes its own of these.
package class ResolverScopeCache: ResolverScope {
    fileprivate var kept: [String: Any] = [:]

    package override init() {}

    package final func reset() { resolutionLock.withLock { kept = [:] } }

    override func instance<Service>(
        of key: String,
        in resolver: Resolver,
        make: () -> Service?
    ) -> Service? {
        if let service = kept[key] as? Service { return service }
        let service = make()
        kept[key] = service
        return service
    }
}

/// Keeps its instances for as long as somebody else does.
private final class ResolverScopeShare: ResolverScope {
    struct Reference { weak var object: AnyObject? }

    private var kept: [String: Reference] = [:]

    override func instance<Service>(
        of key: String,
        in resolver: Resolver,
        make: () -> Service?
    ) -> Service? {
        if let service = kept[key]?.object as? Service { return service }
        let service = make()
        kept[key] = Reference(object: service as AnyObject)
        return service
    }
}

extension ResolverScope {
    package static let application = ResolverScopeCache()
    package static let cached = ResolverScopeCache()
    package static let graph: ResolverScope = Resolutions.graph
    package static let shared: ResolverScope = ResolverScopeShare()
    package static let unique = ResolverScope()
}

/// One for all resolvers, re-entrant: factories resolve while it is held.
let resolutionLock = NSRecursiveLock()

/// Guarded by `resolutionLock`.
enum Resolutions {
    static let graph = ResolverScopeCache()
    private static var depth = 0
    private static var hasRegistered = false

    static func run<T>(_ body: () -> T) -> T {
        resolutionLock.withLock {
            if !hasRegistered {
                hasRegistered = true
                (Resolver.self as? ResolverRegistering.Type)?.registerAllServices()
            }
            depth += 1
            defer {
                depth -= 1
                if depth == 0 { graph.reset() }
            }
            return body()
        }
    }
}
