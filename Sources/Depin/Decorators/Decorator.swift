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
    }

    init(_ key: ServiceKey, at place: CodePlace, wrapsInherited: Bool, _ body: Body) {
        self.key = key
        self.place = place
        self.wrapsInherited = wrapsInherited
        self.body = body
    }

    var isAsync: Bool { if case .async = body { true } else { false } }
}
