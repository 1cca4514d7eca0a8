/// The contributions to each type, which stand in the tables of the ``Registry`` as all registrations do.
struct ContributionTable: Sendable {
    private let types = Guarded(HashTable<TypeKey, Contributions>())

    /// What is contributed to a type; nil for nothing.
    subscript(_ type: Any.Type) -> Contributions? {
        types.withLock { $0[TypeKey(type)] }
    }

    /// Gives a contribution its place among those to its type.
    func place(_ key: ServiceKey, order: Int) {
        let known = types.withLock { types in
            let type = TypeKey(key.serviceType)
            let known = types[type]
            types[type] = (known ?? Contributions()).with(key, order: order)
            return known
        }
        withExtendedLifetime(known) {}
    }

    /// Has the contributions of another table in the same order.
    func place(as other: ContributionTable) {
        let known = other.types.withLock { $0.all }
        types.withLock { types in
            for (type, contributions) in known {
                types[type] = Contributions(contributions.all)
            }
        }
    }

    /// Forgets what was found for a key, if that is a contribution's.
    func forgetFindings(for key: ServiceKey) {
        guard key.isContribution else { return }
        self[key.serviceType]?.findings.forget()
    }

    /// Removes everything, and gives back what there was, to be dropped where no lock is held.
    func removeAll() -> HashTable<TypeKey, Contributions> {
        types.withLock { types in
            defer { types = HashTable() }
            return types
        }
    }

    /// Removes the contributions whose keys match, and gives back what there was.
    func remove(where matches: (ServiceKey) -> Bool) -> [(key: TypeKey, value: Contributions)] {
        types.withLock { types in
            let known = types.all
            for (type, contributions) in known { types[type] = contributions.without(matches) }
            return known
        }
    }
}
