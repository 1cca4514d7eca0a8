import Depin
import Testing

/// Nothing is registered, so nothing is found, whatever an optional may be taken for.
struct `An empty container` {
    private let container = Container()

    @Test func `has no service of a type that everything is`() {
        expectMiss(Any.self)
        expectMiss(AnyObject.self)
        expectMiss((any Sendable).self)
        expectMiss((any Copyable).self)
    }

    @Test func `has no service of a protocol that optionals conform to`() {
        expectMiss((any CustomDebugStringConvertible).self)
        expectMiss((any CustomReflectable).self)
        expectMiss((any ExpressibleByNilLiteral).self)
        expectMiss((any Equatable).self)
        expectMiss((any Hashable).self)
        expectMiss((any Encodable).self)
        expectMiss((any Decodable).self)
        expectMiss((any Codable).self)
        expectMiss((any Marked).self)
        expectMiss((any Marked & Sendable).self)
    }

    @Test func `has no service of what its own types conform to`() {
        container.register(Int.self) { 5 }
        expectMiss((any CustomStringConvertible).self)
        expectMiss((any Error).self)
    }

    @Test func `has no optional service by a name, for an argument, or in a child`() {
        #expect(container.resolve(Any.self, name: "n") == nil)
        #expect(container.resolve(Any.self, argument: 5) == nil)
        #expect(container.resolve(Any.self, name: "n", arguments: 5, "five") == nil)
        let child = Container(parent: container)
        #expect(child.resolve((any CustomDebugStringConvertible).self) == nil)
        #expect(child.synchronize().resolve((any CustomDebugStringConvertible).self) == nil)
        #expect(child.fork().resolve((any CustomDebugStringConvertible).self) == nil)
    }

    @Test func `gives a factory no service of a type that everything is`() throws {
        container.register([Bool].self) { resolver in
            [
                resolver.resolve(Any.self) == nil,
                resolver.resolve((any CustomDebugStringConvertible).self) == nil,
                (resolver ~> (any CustomDebugStringConvertible)?.self) == nil,
                (resolver ~> Optional<Any>.self) == nil,
                (try? resolver.require(Any.self)) == nil,
            ]
        }
        #expect(try container.require([Bool].self) == [true, true, true, true, true])
    }

    @Test func `leaves a property nil`() {
        withSpace(\.dependenciesContainer, container) {
            #expect(Injected<(any CustomDebugStringConvertible)?>().wrappedValue == nil)
            #expect(Injected<(any Marked)?>().wrappedValue == nil)
            #expect(Injected<Any?>().wrappedValue == nil)
            #expect(Injected<AnyObject?>().wrappedValue == nil)
        }
    }

    @Test func `gives what is registered as Any, once it is`() throws {
        container.register((any Marked).self) { Thing() }
        container.register(Any.self, name: "five", instance: 5)
        #expect(try container.require((any Marked).self) is Thing)
        #expect(container.resolve(Any.self, name: "five") as? Int == 5)
        #expect((container ~> (any Marked)?.self) is Thing)
        #expect(container.resolve(Any.self) == nil)
    }

    /// Asks twice: what is derived from an absence may be known the second time.
    private func expectMiss<Service>(
        _ type: Service.Type,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for _ in 0..<2 {
            if let found = container.resolve(type) {
                Issue.record("\(type): \(found)", sourceLocation: sourceLocation)
            }
            #expect(throws: ResolutionError.self, "\(type)", sourceLocation: sourceLocation) {
                try container.require(type)
            }
            let optional: Service? = container ~> Service?.self
            if let found = optional {
                Issue.record("\(type)?: \(found)", sourceLocation: sourceLocation)
            }
            #expect(container.resolve(Lazy<Service>.self) == nil, sourceLocation: sourceLocation)
            #expect(
                container.resolve(Provider<Service>.self) == nil,
                sourceLocation: sourceLocation
            )
        }
    }
}

private protocol Marked {}

private struct Thing: Marked {}

extension Optional: Marked {}
