import Foundation

// A stand-in for Resolver 1.5, which cannot be fetched where this is built. It is not that library and
// shares no code with it: it declares, from what is publicly known, the names and signatures that the
// article on migration shows, and does what they are documented to do, no more.

/// What an app makes `Resolver` conform to; asked once, before the first service is resolved.
package protocol ResolverRegistering {
    static func registerAllServices()
}

package final class Resolver {
    package static let main = Resolver()
    /// What the property wrappers and the static functions ask.
    package static var root = main
    /// The scope of a registration that names none.
    package static var defaultScope = ResolverScope.graph

    private var registrations: [String: Any] = [:]
    var caches: [ResolverScope: [String: Any]] = [:]

    package init() {}

    // MARK: Registering

    @discardableResult
    package static func register<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        factory: @escaping () -> Service?
    ) -> ResolverOptions<Service> {
        root.add(name, factory: { _, _ in factory() })
    }

    @discardableResult
    package static func register<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        factory: @escaping (Resolver) -> Service?
    ) -> ResolverOptions<Service> {
        root.add(name, factory: { resolver, _ in factory(resolver) })
    }

    @discardableResult
    package static func register<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        factory: @escaping (Resolver, Args) -> Service?
    ) -> ResolverOptions<Service> {
        root.add(name, factory: factory)
    }

    func add<Service>(
        _ name: Name?,
        factory: @escaping (Resolver, Args) -> Service?
    ) -> ResolverOptions<Service> {
        let options = ResolverOptions(key: key(Service.self, name), in: self, factory: factory)
        resolutionLock.withLock { registrations[options.key] = options }
        return options
    }

    // MARK: Resolving

    package static func resolve<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        args: Any? = nil
    ) -> Service {
        root.resolve(type, name: name, args: args)
    }

    package func resolve<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        args: Any? = nil
    ) -> Service {
        guard let service = optional(type, name: name, args: args) else {
            fatalError("RESOLVER: '\(type)' not resolved")
        }
        return service
    }

    package static func optional<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        args: Any? = nil
    ) -> Service? {
        root.optional(type, name: name, args: args)
    }

    package func optional<Service>(
        _ type: Service.Type = Service.self,
        name: Name? = nil,
        args: Any? = nil
    ) -> Service? {
        Resolutions.run {
            let options = registrations[key(type, name)] as? ResolverOptions<Service>
            return options?.instance(args: Args(value: args))
        }
    }

    func key(_ type: Any.Type, _ name: Name?) -> String {
        "\(ObjectIdentifier(type)) \(name?.rawValue ?? "")"
    }
}

/// What gives its conformers the resolver that the property wrappers ask.
package protocol Resolving {
    var resolver: Resolver { get }
}

extension Resolving {
    package var resolver: Resolver { .root }
}

extension Resolver {
    package struct Name: ExpressibleByStringLiteral {
        package let rawValue: String

        package init(_ rawValue: String) { self.rawValue = rawValue }
        package init(stringLiteral value: String) { rawValue = value }
    }

    /// What `args:` handed over, cast to what the factory wants.
    package struct Args {
        let value: Any?

        package func callAsFunction<T>() -> T {
            guard let value = value as? T else { fatalError("RESOLVER: args is no \(T.self)") }
            return value
        }

        package func callAsFunction<T>(_ key: String) -> T {
            guard let value = (value as? [String: Any])?[key] as? T else {
                fatalError("RESOLVER: args has no \(T.self) '\(key)'")
            }
            return value
        }
    }
}

/// What `register` gives back, to be configured.
package final class ResolverOptions<Service> {
    let key: String
    private unowned let resolver: Resolver
    private let factory: (Resolver, Resolver.Args) -> Service?
    private var scope = Resolver.defaultScope
    private var mutate: ((Resolver, Service, Resolver.Args) -> Void)?

    init(
        key: String,
        in resolver: Resolver,
        factory: @escaping (Resolver, Resolver.Args) -> Service?
    ) {
        self.key = key
        self.resolver = resolver
        self.factory = factory
    }

    @discardableResult
    package func implements<Other>(
        _ type: Other.Type,
        name: Resolver.Name? = nil
    ) -> ResolverOptions<Service> {
        _ = resolver.add(name) { _, args in self.instance(args: args) as? Other }.scope(.unique)
        return self
    }

    @discardableResult
    package func resolveProperties(
        _ body: @escaping (Resolver, Service) -> Void
    ) -> ResolverOptions<Service> {
        mutate = { resolver, service, _ in body(resolver, service) }
        return self
    }

    @discardableResult
    package func resolveProperties(
        _ body: @escaping (Resolver, Service, Resolver.Args) -> Void
    ) -> ResolverOptions<Service> {
        mutate = body
        return self
    }

    @discardableResult
    package func scope(_ scope: ResolverScope) -> ResolverOptions<Service> {
        self.scope = scope
        return self
    }

    func instance(args: Resolver.Args) -> Service? {
        scope.instance(of: key, in: resolver) {
            let service = factory(resolver, args)
            if let service { mutate?(resolver, service, args) }
            return service
        }
    }
}
