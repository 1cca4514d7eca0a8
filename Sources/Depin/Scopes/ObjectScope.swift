/// Says how long an instance is kept and who shares it.
///
/// ``ObjectScope`` has the usual scopes. Write a class of your own if a storage must know its scope:
///
/// ```swift
/// final class PerUserScope: ObjectScopeProtocol {
///     func makeStorage() -> any InstanceStorage { PerUserStorage(scope: self) }
/// }
/// ```
public protocol ObjectScopeProtocol: AnyObject {
    /// Makes the storage of one registration.
    func makeStorage() -> any InstanceStorage
}

/// How long an instance is kept and who shares it.
///
/// ```swift
/// container.register(Cache.self) { LiveCache() }.inObjectScope(.container)
///
/// extension ObjectScope { static let session = ObjectScope(named: "session") }
/// container.register(User.self) { LiveUser() }.inObjectScope(.session)
/// container.resetObjectScope(.session)    // at log-out
/// ```
///
/// Scopes compare by identity, so keep each one in a `static let`.
public final class ObjectScope: ObjectScopeProtocol, CustomStringConvertible, Sendable {
    /// A new instance for every request.
    public static let transient = ObjectScope(.transient, "transient")
    /// One instance in each graph: in everything that one outermost request builds.
    ///
    /// The default scope.
    public static let graph = ObjectScope(.graph, "graph")
    /// One instance in the container that holds the registration and in its children.
    public static let container = ObjectScope(.permanent, "container")
    /// One instance for as long as someone holds it.
    ///
    /// The graph keeps it until it has ended. Values are not kept.
    public static let weak = ObjectScope(.weak, "weak")

    /// The name that descriptions show.
    public let description: String
    let kind: ScopeKind
    /// The maker of a custom scope's storage, and the scope whose storage is read after that one.
    typealias Storage = (
        make: @Sendable () -> any InstanceStorage, parent: (any ObjectScopeProtocol)?
    )
    // Called or read from any thread: the closure is `@Sendable`, and a scope protocol's only method makes something
    // new.
    nonisolated(unsafe) let storage: Storage?
    /// The form for each value of the arguments; nil for such a form.
    fileprivate let derived: ObjectScope?

    /// Makes a scope from a storage.
    ///
    /// - Parameters:
    ///   - storageFactory: Makes the storage of one registration; called from any thread.
    ///   - description: The name that descriptions show.
    ///   - parent: A scope whose storage is read after this one's, and which keeps the same instances.
    @preconcurrency
    public convenience init(
        storageFactory: @escaping @Sendable () -> any InstanceStorage,
        description: String = "",
        parent: (any ObjectScopeProtocol)? = nil
    ) {
        self.init(.stored, description, (storageFactory, parent))
    }

    /// Makes a scope of singletons that a reset drops together.
    ///
    /// ```swift
    /// extension ObjectScope { static let session = ObjectScope(named: "session") }
    /// ```
    ///
    /// Each call makes a different scope, even with the same name.
    public convenience init(named name: String) {
        self.init(.permanent, name)
    }

    /// Makes a scope that opens and closes: a request's, or a session's.
    ///
    /// ```swift
    /// extension ObjectScope { static let request = ObjectScope(opened: "request") }
    ///
    /// container.register(Audit.self) { r in Audit(user: r ~> User.self) }.inObjectScope(.request)
    /// let request = container.openScope(.request) { $0.register(User.self, instance: user) }
    /// let audit = request ~> Audit.self
    /// ```
    ///
    /// A registration of such a scope, in any container up the hierarchy, has one instance for each open
    /// scope. Each call makes a different scope, even with the same name.
    public convenience init(opened name: String) {
        self.init(.opened, name)
    }

    private init(
        _ kind: ScopeKind,
        _ description: String,
        isPerArguments: Bool = false,
        _ storage: Storage? = nil
    ) {
        self.kind = kind
        self.description = description
        self.storage = storage
        let name = "\(description).perArguments"
        derived =
            isPerArguments || kind.isUnshared
            ? nil : ObjectScope(kind, name, isPerArguments: true, storage)
    }

    /// The same scope with an instance for each value of a registration's arguments.
    ///
    /// ```swift
    /// container.register(Chat.self) { r, id in LiveChat(api: r ~> API.self, id: id) }
    ///     .inObjectScope(.weak.perArguments)
    /// container.register(Draft.self) { r, id in Draft(of: id) }
    ///     .inObjectScope(.container.perArguments)
    ///
    /// container.resetObjectScope(.container, serviceType: Draft.self, argument: id)
    /// ```
    ///
    /// Requests with equal arguments share an instance, and its factory runs once, however many threads
    /// request it. The arguments must be `Hashable`: where one is not, the program stops at the registration.
    /// They are kept for as long as the instance; with a custom scope until a reset, because only its storage
    /// knows what it keeps. A registration without arguments has one instance.
    ///
    /// It is the same scope each time. A reset of the scope itself resets this form, too. ``graph`` and
    /// ``transient`` are their own form: they already have an instance for each value of the arguments, or
    /// for each request.
    public var perArguments: ObjectScope { derived ?? self }
}

extension ObjectScope {
    /// True for a ``perArguments`` form.
    var isPerArguments: Bool { derived == nil && !kind.isUnshared }
    /// True for a scope that can be opened, as a ``perArguments`` form cannot.
    var isOpenable: Bool { kind == .opened && !isPerArguments }
}

extension ObjectScopeProtocol {
    /// True for this scope and for its ``ObjectScope/perArguments`` form.
    package func includes(_ other: any ObjectScopeProtocol) -> Bool {
        self === other || (self as? ObjectScope)?.perArguments === other
    }
}

/// What the library does for a scope's instances.
package enum ScopeKind: UInt8, Sendable {
    /// Keep nothing.
    case transient
    /// Keep in the graph.
    case graph
    /// Keep in the slot.
    case permanent
    /// Keep in the slot, weakly.
    case weak
    /// Keep in an ``InstanceStorage``.
    case stored
    /// Keep in a slot of the open scope.
    case opened

    /// True if an instance is shared within a graph at most.
    package var isUnshared: Bool { self == .transient || self == .graph }

    /// True if an instance is always built in the container that holds the registration.
    var isOfHolder: Bool { !isUnshared && self != .opened }

    /// True if the container keeps an instance alive.
    package var keeps: Bool { self == .permanent || self == .stored || self == .opened }
}
