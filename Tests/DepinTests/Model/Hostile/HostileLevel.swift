import Depin

/// What the model knows of a container: its registrations and its parent.
///
/// It is a model of the sequential kind: one thread, plain tables, no graphs but those that are kept.
final class HostileLevel {
    /// One registration, in one container.
    final class Record {
        /// The registration's number, which its forks have too.
        let number: Int
        let recipe: HostileProgram.Recipe
        /// The instance that was seen last, where the scope keeps one.
        weak var known: HostileItem?

        init(_ number: Int, _ recipe: HostileProgram.Recipe) {
            self.number = number
            self.recipe = recipe
        }
    }

    let parent: HostileLevel?
    private(set) var records: [Int: Record] = [:]
    /// True while the world itself holds the container.
    var isHeld = true

    init(parent: HostileLevel?) {
        self.parent = parent
    }

    /// The same registrations, with nothing built.
    func fork() -> HostileLevel {
        let fork = HostileLevel(parent: parent?.fork())
        fork.records = records.mapValues { Record($0.number, $0.recipe) }
        return fork
    }

    func register(_ record: Record, for service: Int) {
        records[service] = record
    }

    func unregister(_ service: Int) {
        records[service] = nil
    }

    /// Registers where a registration stands, or here.
    func replace(_ record: Record, for service: Int) {
        (find(service)?.holder ?? self).register(record, for: service)
    }

    func reset(_ scope: HostileProgram.Scope) {
        for record in records.values where record.recipe.scope == scope { record.known = nil }
        parent?.reset(scope)
    }

    func find(_ service: Int) -> (record: Record, holder: HostileLevel)? {
        if let record = records[service] { return (record, self) }
        return parent?.find(service)
    }

    /// The container whose resolver builds a service that is asked of this one.
    func builder(of service: Int) -> HostileLevel? {
        find(service).map { $0.record.recipe.scope.isShared ? $0.holder : self }
    }

    /// True when all that a factory asks for at once is there.
    func canBuild(_ service: Int) -> Bool {
        guard let record = find(service)?.record, let builder = builder(of: service) else {
            return false
        }
        return record.recipe.needs.allSatisfy { need in
            if case .direct(let other) = need { builder.canBuild(other) } else { true }
        }
    }
}
