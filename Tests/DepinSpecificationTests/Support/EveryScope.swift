import Depin

/// Every kind of scope that a registration may have.
enum EveryScope: String, CaseIterable, Codable, Sendable {
    case transient, graph, container, weak, named, stored, opened

    /// Those whose instances nobody shares after the request.
    static let unshared: [EveryScope] = [.transient, .graph]
    static let shared: [EveryScope] = [.container, .weak, .named, .stored, .opened]

    private static let resettable = ObjectScope(named: "resettable")
    static let opens = ObjectScope(opened: "opens")

    var scope: ObjectScope {
        switch self {
        case .transient: .transient
        case .graph: .graph
        case .container: .container
        case .weak: .weak
        case .named: Self.resettable
        case .stored: ObjectScope(storageFactory: PermanentStorage.init)
        case .opened: Self.opens
        }
    }

    /// The container that may be asked for services in this scope.
    func place(in container: Container) -> Container {
        self == .opened ? container.openScope(Self.opens) : container
    }
}
