import Testing

@testable import Depin
@testable import DepinInspection

struct NearMissesTests {
    @Test func `hints for what many need are looked for once`() {
        let container = Container()
        container.register(Kennel?.self) { Kennel() }
        for name in ["a", "b", "c"] {
            container.autoregister(Collar.self, name: name) { (_: Kennel) in Collar() }
        }
        let missing = Survey(of: container.engine).missing
        let hints = missing.compactMap { problem -> ObjectIdentifier? in
            guard case .notRegistered(let hints)? = problem.error?.failure else { return nil }
            return ObjectIdentifier(hints)
        }
        #expect(hints.count == 3)
        #expect(Set(hints).count == 1)
    }

    @Test(arguments: [Any.self, AnyObject.self, (any Sendable).self] as [Any.Type])
    func `nothing is offered for what anything would be`(type: Any.Type) {
        let container = Container()
        container.register(Collar.self) { Collar() }
        container.register(Kennel.self, instance: Kennel())
        #expect(container.engine.hints(for: ServiceKey(type)).all.isEmpty)
    }

    @Test(arguments: [Any.self, AnyObject.self, (any Sendable).self] as [Any.Type])
    func `what anything would be is not offered either`(type: Any.Type) {
        let container = Container()
        func register<Service>(_ type: Service.Type) {
            container.register(type) { preconditionFailure("nobody asks for it") }
        }
        _openExistential(type, do: register)
        #expect(container.engine.hints(for: ServiceKey(Collar.self)).all.isEmpty)
    }

    @Test func `a type that was linked twice is found`() {
        let container = Container()
        container.register(Kennel.self) { Kennel() }
        let hints = container.engine.hints(for: ServiceKey(Self.otherKennel)).all
        guard case .registered(let candidate, .linkedTwice)? = hints.first else {
            Issue.record("\(hints)")
            return
        }
        #expect(ObjectIdentifier(candidate.key.serviceType) == ObjectIdentifier(Kennel.self))
    }

    /// A copy of the metadata of `Kennel`, as a module that is linked twice brings one.
    private static let otherKennel: Any.Type = {
        // A struct's metadata is its kind and its descriptor, and before these its witnesses.
        let original = unsafeBitCast(Kennel.self as Any.Type, to: UnsafePointer<UInt>.self)
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 3)
        words.initialize(from: original - 1, count: 3)
        return unsafeBitCast(UnsafePointer(words + 1), to: Any.Type.self)
    }()
}

struct Kennel: Sendable {}
final class Collar: Sendable {}
