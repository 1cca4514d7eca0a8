/// A service that is resolved on first use.
///
/// You can resolve a `Lazy` of any registered service. It belongs to the graph in which it was made, and
/// takes its instance from that graph if it is still alive.
///
/// ```swift
/// container.register(Editor.self) { resolver in Editor(spelling: resolver ~> Lazy<Spelling>.self) }
///
/// // in Editor, when there is something to check
/// spelling.instance.check(text)
/// ```
///
/// You may use it from any thread: all threads get the instance stored first. It keeps the container alive,
/// unless the container keeps the instance it was made for. If you first use it after the container is
/// gone, it stops the program with a message.
public final class Lazy<Service> {
    private let later: LaterRequest
    private let stored = Guarded<Service?>(nil)

    init(_ later: LaterRequest) {
        self.later = later
    }

    /// The service, resolved on first use.
    public var instance: Service {
        if let stored = stored.withLock({ $0 }) { return stored }
        let made = unsafeDowncast(later.instance(), to: Box<Service>.self).value
        return stored.withLock { stored in
            if let stored { return stored }
            stored = made
            return made
        }
    }
}

extension Lazy: Sendable where Service: Sendable {}

extension Lazy: DeferredService {
    static var deferral: Deferral { .lazy }
}

/// A service that is resolved again at each use.
///
/// You can resolve a `Provider` of any registered service. Each use begins a new graph. For a service with arguments
/// there is ``ServiceFactory``.
///
/// ```swift
/// container.register(Login.self) { resolver in Login(session: resolver ~> Provider<Session>.self) }
///
/// // in Login, for each user
/// let session = session.instance
/// ```
///
/// If the space's container is a scope that was opened on the provider's container, the service comes from that
/// scope. So an object that was made before, such as a controller, finds the services of each request.
///
/// You may use it from any thread. It keeps the container alive, unless the container keeps the instance it
/// was made for. If you use it after the container is gone, or its scope has closed, it stops the program with a
/// message. Work that may outlive a session takes a ``ServiceFactory`` of the service, whose `require()` throws.
public final class Provider<Service> {
    private let later: LaterRequest

    init(_ later: LaterRequest) {
        self.later = later
    }

    /// The service, resolved now.
    public var instance: Service {
        unsafeDowncast(later.newInstance(), to: Box<Service>.self).value
    }
}

extension Provider: Sendable where Service: Sendable {}

extension Provider: DeferredService {
    static var deferral: Deferral { .provider }
}
