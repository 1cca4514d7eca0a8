/// A closure that wraps each new instance of a service.
package final class Decorator: Sendable {
    /// Names the decorator, in whatever containers it stands.
    package let number = Serial.next()
    /// The key of the decorated service.
    package let key: ServiceKey
    package let place: CodePlace
    /// True if it also wraps instances of a parent's registrations.
    let wrapsInherited: Bool
    let body: Body

    /// Wraps an instance, in a box of the service's type.
    enum Body: Sendable {
        case sync(@Sendable (AnyBox, any Resolver) throws -> AnyBox)
        case async(@Sendable (AnyBox, any Resolver) async throws -> AnyBox)

        static func sync<Service>(
            wrapping wrap: @escaping @Sendable (any Resolver, Service) throws -> Service
        ) -> Body {
            .sync { inner, resolver in
                let inner = unsafeDowncast(inner, to: Box<Service>.self)
                // Asking the box for its type spares the runtime a lookup.
                return type(of: inner).init(try wrap(resolver, inner.value))
            }
        }

        static func async<Service>(
            wrapping wrap: @escaping @Sendable (any Resolver, Service) async throws -> Service
        ) -> Body {
            .async { inner, resolver in
                let inner = unsafeDowncast(inner, to: Box<Service>.self)
                return Box(try await wrap(resolver, inner.value))
            }
        }
    }

    init(_ key: ServiceKey, at place: CodePlace, wrapsInherited: Bool, _ body: Body) {
        self.key = key
        self.place = place
        self.wrapsInherited = wrapsInherited
        self.body = body
    }

    var isAsync: Bool { if case .async = body { true } else { false } }
}
