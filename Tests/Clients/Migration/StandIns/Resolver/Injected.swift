// Part of the stand-in: see Resolver.swift.

/// Resolves when the object is made.
@propertyWrapper
package struct Injected<Service> {
    package var wrappedValue: Service

    package init() { wrappedValue = Resolver.resolve() }

    package init(name: Resolver.Name? = nil, container: Resolver? = nil) {
        wrappedValue = (container ?? .root).resolve(name: name)
    }
}

/// Is nil where nothing is registered.
@propertyWrapper
package struct OptionalInjected<Service> {
    package var wrappedValue: Service?

    package init() { wrappedValue = Resolver.optional() }
}

/// Resolves at the first access.
@propertyWrapper
package struct LazyInjected<Service> {
    private let name: Resolver.Name?
    private var kept: Service?

    package init() { name = nil }

    package init(name: Resolver.Name? = nil, container: Resolver? = nil) { self.name = name }

    package var wrappedValue: Service {
        mutating get {
            let value = kept ?? Resolver.resolve(name: name)
            kept = value
            return value
        }
        set { kept = newValue }
    }
}
