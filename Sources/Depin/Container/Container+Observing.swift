// What DepinTesting needs to know of a container: whether a registration was used, and by whom.

/// A registration, as the words of a test name it.
package struct ObservedRegistration: Sendable {
    /// What it is asked by.
    package let request: ResolutionError.Request
    /// Where it was registered.
    package let place: CodePlace
}

extension Container {
    /// The registrations of this container and of its parents.
    ///
    /// While they are held, what is registered later is another object than any of them.
    package var entries: [AnyServiceEntry] {
        var entries: [AnyServiceEntry] = []
        var holder: ContainerCore? = core
        while let core = holder {
            entries += core.registry.registrations.map(\.entry)
            holder = core.parent
        }
        return entries
    }

    /// Has a closure told whenever the factory of a registration is about to run.
    ///
    /// It works on a fork of its own that nobody has resolved from yet, for the registrations are
    /// replaced by copies. A registered instance counts as used when it is first asked for. The path
    /// ends with the registration itself; the closure runs on the thread that asks.
    ///
    /// - Parameters:
    ///   - isObserved: Chooses registrations, here and in the parents, by a key and what stands there.
    ///   - report: Is told of each use, with the number of the registration in the result.
    /// - Returns: The registrations that were chosen, in the order of their places.
    package func observe(
        where isObserved: (ServiceKey, AnyServiceEntry) -> Bool,
        report: @escaping @Sendable (_ index: Int, _ path: [ResolutionError.Step]) -> Void
    ) -> [ObservedRegistration] {
        var chosen: [(entry: AnyServiceEntry, holder: ContainerCore)] = []
        var holder: ContainerCore? = core
        while let core = holder {
            var seen: Set<ObjectIdentifier> = []
            for (key, entry) in core.registry.registrations
            where isObserved(key, entry) && seen.insert(ObjectIdentifier(entry)).inserted {
                chosen.append((entry, core))
            }
            holder = core.parent
        }
        chosen.sort { $0.entry.order < $1.entry.order }
        for (index, (entry, holder)) in chosen.enumerated() {
            let copy = entry.observed(for: holder) { report(index, Resolution.path) }
            for (key, other) in holder.registry.registrations where other === entry {
                holder.registry.register(copy, for: key)
            }
        }
        return chosen.map { $0.entry.observation }
    }
}

extension AnyServiceEntry {
    fileprivate var observation: ObservedRegistration {
        ObservedRegistration(
            request: ResolutionError.Request(
                serviceType: key.serviceType,
                name: key.name,
                argumentTypes: argumentTypes
            ),
            place: place
        )
    }

    /// A stable order, so that messages are the same in every run.
    fileprivate var order: (String, Int, String) {
        (place.file, place.line, observation.request.description)
    }
}
