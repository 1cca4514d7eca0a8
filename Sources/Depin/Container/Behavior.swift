/// Observes registrations.
///
/// ```swift
/// struct Log: Behavior {
///     func container<Type, Service>(
///         _ container: Container,
///         didRegisterType type: Type.Type,
///         toService entry: ServiceEntry<Service>,
///         withName name: String?
///     ) {
///         print("\(type) is made as \(Service.self)")
///     }
/// }
/// let container = Container(behaviors: [Log()])
/// ```
///
/// Called on the registering thread, after the registration has taken effect, and never under a lock.
public protocol Behavior {
    /// Called after each registration (`Type` is `Service` then) and each forwarding.
    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    )
}

/// The behaviors of a container.
private final class Behaviors: EngineAddition {
    var all: [any Behavior] = []

    override var lifetime: Lifetime { .container }

    override var forked: EngineAddition? {
        let forked = Behaviors()
        forked.all = all.copied
        return forked
    }
}

extension Engine {
    @inline(never)
    func addBehavior(_ behavior: any Behavior) {
        state.withLock { $0.additions.made(Behaviors.self).all.append(behavior) }
        setFlag(.hasBehaviors)
    }

    var behaviors: [any Behavior] {
        state.withLock { $0.additions.find(Behaviors.self)?.all.copied } ?? []
    }
}
