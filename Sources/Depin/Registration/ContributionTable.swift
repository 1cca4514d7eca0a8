/// The contributions to each type, which stand in the tables of the ``Registry`` as all registrations do.
struct ContributionTable: Sendable {
    private let tables: GuardedList<Registry.Table>

    init(_ tables: GuardedList<Registry.Table>) {
        self.tables = tables
    }

    /// What is contributed to a type; nil for nothing.
    subscript(_ type: Any.Type) -> Contributions? {
        withTable(of: type) { $0[TypeKey(type)] }
    }

    private func withTable<Result>(
        of type: Any.Type,
        _ body: (inout HashTable<TypeKey, Contributions>) -> Result
    ) -> Result {
        tables.withLock(at: tables.index(of: TypeKey(type).tableHash)) { body(&$0.contributions) }
    }

    /// Gives a contribution its place among those to its type.
    func place(_ key: ServiceKey, order: Int) {
        let known = withTable(of: key.serviceType) { types in
            let type = TypeKey(key.serviceType)
            let known = types[type]
            types[type] = (known ?? Contributions()).with(key, order: order)
            return known
        }
        withExtendedLifetime(known) {}
    }

    /// Has the contributions of another table in the same order.
    func place(as other: ContributionTable) {
        for index in 0..<other.tables.count {
            for (type, contributions) in other.tables.withLock(at: index, { $0.contributions.all })
            {
                withTable(of: type.type) { $0[type] = Contributions(contributions.all) }
            }
        }
    }

    /// Forgets what was found for a key, if that is a contribution's.
    func forgetFindings(for key: ServiceKey) {
        guard key.isContribution else { return }
        self[key.serviceType]?.findings.forget()
    }

    /// Removes the contributions whose keys match, and gives back what there was.
    func remove(where matches: (ServiceKey) -> Bool) -> [(key: TypeKey, value: Contributions)] {
        (0..<tables.count).flatMap { index in
            tables.withLock(at: index) { table in
                let known = table.contributions.all
                for (type, contributions) in known {
                    table.contributions[type] = contributions.without(matches)
                }
                return known
            }
        }
    }
}
