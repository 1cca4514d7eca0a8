import Synchronization

/// Is told of registrations.
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
/// It is called on the thread that registers, after the registration took effect, under no lock.
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
///
/// Unchecked: the list is guarded by its lock; a behavior is called by whichever thread registers.
final class BehaviorList: @unchecked Sendable {
    private let lock = Lock()
    private var behaviors: [any Behavior]  // guarded by lock
    // PERF: most containers have none, and to lock to see that took 7 % of a registration.
    private let isKnownEmpty: Atomic<Bool>

    init(_ behaviors: [any Behavior]) {
        self.behaviors = behaviors
        isKnownEmpty = Atomic(behaviors.isEmpty)
    }

    deinit {
        lock.destroy()
    }

    var isEmpty: Bool { isKnownEmpty.load(ordering: .acquiring) }

    var all: [any Behavior] { lock.withLock { behaviors.copied } }

    func add(_ behavior: any Behavior) {
        lock.withLock { behaviors.append(behavior) }
        isKnownEmpty.store(false, ordering: .releasing)
    }
}
