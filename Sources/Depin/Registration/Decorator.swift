/// What wraps each new instance of a service, after those that were added before it.
///
/// It never changes: one that is added later holds this one.
class AnyDecorator: @unchecked Sendable {  // Nothing changes; the closure is `@Sendable`.
    /// Names what the user has added, wherever it stands.
    let number: UInt
    let serviceType: Any.Type
    let name: String?
    let place: CodePlace
    /// True where it wraps what a parent of its container has registered, too.
    let wrapsInherited: Bool
    let earlier: AnyDecorator?
    let count: Int

    fileprivate init(
        _ number: UInt,
        _ serviceType: Any.Type,
        name: String?,
        place: CodePlace,
        wrapsInherited: Bool,
        after earlier: AnyDecorator?
    ) {
        self.number = number
        self.serviceType = serviceType
        self.name = name
        self.place = place
        self.wrapsInherited = wrapsInherited
        self.earlier = earlier
        count = (earlier?.count ?? 0) + 1
    }

    /// True where it wraps what is registered under a key: contributions have it whatever their name.
    final func decorates(_ key: ServiceKey) -> Bool {
        serviceType == key.serviceType && (name == key.name || name == nil && key.isContribution)
    }

    /// Wraps an instance, in a box of the service's type.
    func wrap(_ inner: AnyBox, _ resolver: any Resolver) throws -> AnyBox {
        preconditionFailure("a decorator without a service")
    }

    /// The decorators of a key alone, if there are any, for its container's own registration or a parent's.
    func only(for key: ServiceKey, isInherited: Bool = false) -> AnyDecorator? {
        preconditionFailure("a decorator without a service")
    }

    /// An entry whose instances are those that a closure makes, wrapped.
    ///
    /// It has the scope of the registration that the closure asks, and stands under a key.
    func entry(
        for key: ServiceKey,
        around inner: AnyServiceEntry,
        sink: any RegistrationSink,
        _ make: @escaping (any Resolver, Arguments?) throws -> AnyBox
    ) -> AnyServiceEntry {
        preconditionFailure("a decorator without a service")
    }
}

final class Decorator<Service>: AnyDecorator, @unchecked Sendable {
    private let body: (any Resolver, Service) throws -> Service

    init(
        _ number: UInt,
        name: String?,
        place: CodePlace,
        wrapsInherited: Bool,
        _ body: @escaping (any Resolver, Service) throws -> Service,
        after earlier: AnyDecorator?
    ) {
        self.body = body
        super.init(
            number,
            Service.self,
            name: name,
            place: place,
            wrapsInherited: wrapsInherited,
            after: earlier
        )
    }

    @inline(__always)
    func wrap(_ inner: Service, _ resolver: any Resolver) throws -> Service {
        try body(resolver, inner)
    }

    override func wrap(_ inner: AnyBox, _ resolver: any Resolver) throws -> AnyBox {
        let inner = unsafeDowncast(inner, to: Box<Service>.self)
        // Asking the instance for its type spares the runtime a look-up.
        return type(of: inner).init(try body(resolver, inner.value))
    }

    override func only(for key: ServiceKey, isInherited: Bool) -> AnyDecorator? {
        let rest = earlier?.only(for: key, isInherited: isInherited)
        guard decorates(key), wrapsInherited || !isInherited else { return rest }
        if rest === earlier { return self }
        return Decorator(
            number,
            name: name,
            place: place,
            wrapsInherited: wrapsInherited,
            body,
            after: rest
        )
    }

    override func entry(
        for key: ServiceKey,
        around inner: AnyServiceEntry,
        sink: any RegistrationSink,
        _ make: @escaping (any Resolver, Arguments?) throws -> AnyBox
    ) -> AnyServiceEntry {
        let entry = ServiceEntry<Service>(
            key: key,
            place: inner.place,
            scope: inner.objectScope,
            factory: .passing { unsafeDowncast(try make($0, $1), to: Box<Service>.self).value },
            origin: inner.origin,
            sink: sink
        )
        entry.decorate(by: self)
        return entry
    }
}
