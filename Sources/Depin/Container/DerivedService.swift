/// How a service is asked for that is not needed at once.
enum Deferral {
    /// It is needed at once.
    case none
    /// As a `Lazy`, which keeps it.
    case lazy
    /// As a `Provider`, which does not.
    case provider
}

/// A type that can be resolved without being registered, from what is.
protocol DerivedService {
    /// The service without which there is none, if there is one.
    static var source: Any.Type? { get }
    /// Whether it gives the service later, and is no need to build it now.
    static var deferral: Deferral { get }
    /// True when a request for it would not be a miss.
    static func isDerivable(_ request: ServiceRequest, in core: ContainerCore) -> Bool
    /// The service, or nil when it cannot be derived.
    static func derive(_ request: ServiceRequest, in core: ContainerCore) throws -> Any?
    /// Notes what the type gives while nothing is registered that it could be derived from, where that
    /// can be told by looking at one slot.
    static func noteAbsence(of key: ServiceKey, in registry: Registry)
}

extension DerivedService {
    static func noteAbsence(of key: ServiceKey, in registry: Registry) {}

    static var source: Any.Type? { nil }
    static var deferral: Deferral { .none }
}

extension Optional: DerivedService {
    static func isDerivable(_ request: ServiceRequest, in core: ContainerCore) -> Bool {
        true
    }

    static func derive(_ request: ServiceRequest, in core: ContainerCore) throws -> Any? {
        let wrapped: Wrapped? = try core.find(request.asking(for: Wrapped.self))
        return .some(wrapped as Any)
    }

    static func noteAbsence(of key: ServiceKey, in registry: Registry) {
        guard !(Wrapped.self is any DerivedService.Type),
            let wrapped = registry.noteAbsence(of: ServiceKey(Wrapped.self))
        else { return }
        registry.noteAbsence(of: key) {
            Registry.Absence(none: Box<Wrapped?>(nil), wrapped: wrapped)
        }
    }
}

extension Container: DerivedService {
    static func isDerivable(_ request: ServiceRequest, in core: ContainerCore) -> Bool {
        request.isPlain && core.container != nil
    }

    static func derive(_ request: ServiceRequest, in core: ContainerCore) -> Any? {
        request.isPlain ? core.container : nil
    }
}

extension GraphIdentifier: DerivedService {
    static func isDerivable(_ request: ServiceRequest, in core: ContainerCore) -> Bool {
        request.isPlain
    }

    static func derive(_ request: ServiceRequest, in core: ContainerCore) -> Any? {
        guard request.isPlain else { return nil }
        return Resolution.withGraph(asked: core) { GraphIdentifier($0) }
    }
}

extension ServiceRequest {
    /// True for a type without name, argument or option.
    var isPlain: Bool { key.label == nil && key.tupleType == nil }
}
