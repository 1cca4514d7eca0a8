// Part of the stand-in: see Container.swift.

package struct Factory<T> {
    let manager: ContainerManager
    let key: String
    var factory: () -> T
    var scope = Scope.unique

    package func callAsFunction() -> T { resolve() }

    package func resolve() -> T {
        Resolutions.run {
            let factory = manager.registered[key] as? () -> T ?? factory
            return scope.instance(of: key, in: manager, make: factory)
        }
    }

    /// Replaces the factory and drops what it made.
    @discardableResult
    package func register(factory: @escaping () -> T) -> Self {
        resolutionLock.withLock {
            manager.registered[key] = factory
            scope.drop(key, in: manager)
        }
        return self
    }

    /// Forgets what was registered and what was made, a singleton too.
    @discardableResult
    package func reset() -> Self {
        resolutionLock.withLock {
            manager.registered[key] = nil
            scope.drop(key, in: manager)
        }
        return self
    }

    package var singleton: Self { scope(.singleton) }
    package var cached: Self { scope(.cached) }
    package var shared: Self { scope(.shared) }
    package var graph: Self { scope(.graph) }
    package var unique: Self { scope(.unique) }

    package func scope(_ scope: Scope) -> Self {
        var copy = self
        copy.scope = scope
        return copy
    }

    /// Makes this in place of the other while tests run.
    package func onTest(_ factory: @escaping () -> T) -> Self {
        guard CommandLine.arguments.contains(where: { $0.contains("xctest") }) else { return self }
        var copy = self
        copy.factory = factory
        return copy
    }
}

package struct ParameterFactory<P, T> {
    let manager: ContainerManager
    let key: String
    let factory: (P) -> T
    var scope = Scope.unique
    /// Tells the parameters apart by which the scope keeps instances, if it does so.
    var parameterKey: ((P) -> String)?

    package func callAsFunction(_ parameter: P) -> T { resolve(parameter) }

    package func resolve(_ parameter: P) -> T {
        Resolutions.run {
            let factory = manager.registered[key] as? (P) -> T ?? factory
            let key = key + (parameterKey?(parameter) ?? "")
            return scope.instance(of: key, in: manager) { factory(parameter) }
        }
    }

    package var cached: Self {
        var copy = self
        copy.scope = .cached
        return copy
    }

    @discardableResult
    package func register(factory: @escaping (P) -> T) -> Self {
        resolutionLock.withLock { manager.registered[key] = factory }
        return self
    }
}

extension ParameterFactory where P: Hashable {
    /// Lets the scope keep an instance for each parameter; without it the first one wins.
    package var scopeOnParameters: Self {
        var copy = self
        copy.parameterKey = { "(\($0))" }
        return copy
    }
}

/// Resolves when the object is made.
@propertyWrapper
package struct Injected<T> {
    package var wrappedValue: T

    package init(_ keyPath: KeyPath<Container, Factory<T>>) {
        wrappedValue = Container.shared[keyPath: keyPath]()
    }
}

/// Resolves at the first access.
@propertyWrapper
package struct LazyInjected<T> {
    private let factory: Factory<T>
    private var kept: T?

    package init(_ keyPath: KeyPath<Container, Factory<T>>) {
        factory = Container.shared[keyPath: keyPath]
    }

    package var wrappedValue: T {
        mutating get {
            let value = kept ?? factory()
            kept = value
            return value
        }
        set { kept = newValue }
    }
}
