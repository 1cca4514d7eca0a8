/// The instance of a ``ScopeKind/weak`` scope, which lives for as long as somebody else holds it.
final class WeakInstance: Sendable {
    // Unsafe, because nobody knows what is in it; the runtime guards reading against the end.
    nonisolated(unsafe) weak let object: AnyObject?
    let bits: ServiceBits?

    init<Service>(_ object: AnyObject, as service: Service) {
        self.object = object
        bits = ServiceBits(of: service)
    }

    /// The service again, which must have the layout that is known, of an object that somebody holds.
    @inline(__always)
    func service<Service>(_ serviceType: Service.Type, holding object: AnyObject) -> Service {
        guard let bits else { preconditionFailure("an instance of unknown layout") }
        return withExtendedLifetime(object) { bits.service(Service.self) }
    }
}

/// A service that is one reference, or an existential around one, bit for bit: it does not hold the object.
///
/// PERF: makes the service again without a cast, for which the runtime looks a conformance up (row 1-weak: 1,150
/// instructions instead of 3,300).
enum ServiceBits: Sendable {
    typealias One = UInt
    typealias Two = (UInt, UInt)
    typealias Three = (UInt, UInt, UInt)
    typealias Four = (UInt, UInt, UInt, UInt)
    typealias Five = (UInt, UInt, UInt, UInt, UInt)
    typealias Six = (UInt, UInt, UInt, UInt, UInt, UInt)

    /// A class, or an existential of classes alone, with its witness tables.
    case one(One)
    case two(Two)
    case three(Three)
    /// `Any`, or an existential with its buffer, its type, and its witness tables.
    case four(Four)
    case five(Five)
    case six(Six)

    /// Nil for a service of another layout.
    init?<Service>(of service: Service) {
        // An optional, say, may have an object too, but is none.
        guard type(of: service as Any) is AnyObject.Type else { return nil }
        switch MemoryLayout<Service>.size {
        case MemoryLayout<One>.size: self = .one(unsafeBitCast(service, to: One.self))
        case MemoryLayout<Two>.size: self = .two(unsafeBitCast(service, to: Two.self))
        case MemoryLayout<Three>.size: self = .three(unsafeBitCast(service, to: Three.self))
        case MemoryLayout<Four>.size: self = .four(unsafeBitCast(service, to: Four.self))
        case MemoryLayout<Five>.size: self = .five(unsafeBitCast(service, to: Five.self))
        case MemoryLayout<Six>.size: self = .six(unsafeBitCast(service, to: Six.self))
        default: return nil
        }
    }

    /// The service, which holds the object again; that must be there.
    func service<Service>(_ serviceType: Service.Type) -> Service {
        switch self {
        case .one(let words): unsafeBitCast(words, to: Service.self)
        case .two(let words): unsafeBitCast(words, to: Service.self)
        case .three(let words): unsafeBitCast(words, to: Service.self)
        case .four(let words): unsafeBitCast(words, to: Service.self)
        case .five(let words): unsafeBitCast(words, to: Service.self)
        case .six(let words): unsafeBitCast(words, to: Service.self)
        }
    }
}
