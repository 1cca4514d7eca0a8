// What DepinTesting needs to know of a container: whether a registration was used, by whom, and what
// it made.

/// A registration, as the words of a test name it.
package struct ObservedRegistration: Sendable {
    /// Its place among those that are observed together.
    package let index: Int
    /// The key that was chosen.
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

    /// Drops the instances that scopes keep, here and in the parents.
    ///
    /// A singleton may have captured overrides in which its own container stands, for an `@Injected` that
    /// nobody has read. Neither would ever go by itself.
    package func dropInstances() {
        core.reset()
    }

    /// Has a closure told whenever the factory of a registration is about to run.
    ///
    /// It works on a fork of its own that nobody has resolved from yet, for the registrations are
    /// replaced by copies. A registered instance counts as used when it is first asked for. The path
    /// ends with the registration itself; the closure runs on the thread that asks.
    ///
    /// - Parameters:
    ///   - isObserved: Chooses registrations, here and in the parents, by a key and what stands there.
    ///   - report: Is told of each use.
    /// - Returns: The registrations that were chosen, in the order of their places.
    package func observe(
        where isObserved: (ServiceKey, AnyServiceEntry) -> Bool,
        report: @escaping @Sendable (ObservedRegistration, _ path: [ResolutionError.Step]) -> Void
    ) -> [ObservedRegistration] {
        var chosen: [(key: ServiceKey, entry: AnyServiceEntry, holder: ContainerCore)] = []
        var holder: ContainerCore? = core
        while let core = holder {
            var seen: Set<ObjectIdentifier> = []
            for (key, entry) in core.registry.registrations
            where isObserved(key, entry) && seen.insert(ObjectIdentifier(entry)).inserted {
                chosen.append((key, entry, core))
            }
            holder = core.parent
        }
        chosen.sort { $0.entry.order < $1.entry.order }
        return chosen.enumerated().map { index, chosen in
            let registration = ObservedRegistration(
                index: index,
                request: ResolutionError.Request(
                    serviceType: chosen.key.serviceType,
                    name: chosen.key.name,
                    argumentTypes: chosen.entry.argumentTypes
                ),
                place: chosen.entry.place
            )
            let registry = chosen.holder.registry
            let copy = chosen.entry.observed(for: chosen.holder) {
                report(registration, Resolution.path)
            }
            for (key, other) in registry.registrations where other === chosen.entry {
                registry.register(copy, for: key)
            }
            return registration
        }
    }
}

extension Container {
    /// Shows a closure what this container and its parents build while a body runs, unless it is kept
    /// by a scope, or was built for what is.
    ///
    /// Forks that are made in the body go on for as long as they live. Other threads' builds are shown
    /// too; the closure runs on the thread that builds, under no lock.
    package func showingProducts<Result>(
        to show: @escaping @Sendable (Any, CodePlace) -> Void,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let entries = entries
        let token = Token()
        watch(entries, token, show)
        defer { Self.endWatching(entries, token) }
        return try await body()
    }

    /// The same for a synchronous body.
    package func showingProducts<Result>(
        to show: @escaping @Sendable (Any, CodePlace) -> Void,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let entries = entries
        let token = Token()
        watch(entries, token, show)
        defer { Self.endWatching(entries, token) }
        return try body()
    }

    private final class Token {}

    private func watch(
        _ entries: [AnyServiceEntry],
        _ token: Token,
        _ show: @escaping @Sendable (Any, CodePlace) -> Void
    ) {
        for entry in entries {
            let place = entry.place
            entry.watch(for: token) { product in
                if !Resolution.isForKept { show(product, place) }
            }
        }
    }

    private static func endWatching(_ entries: [AnyServiceEntry], _ token: Token) {
        for entry in entries {
            entry.endWatching(for: token)
        }
    }
}

extension Resolution {
    /// True where the instance being made, or one that it is made for, is kept by its scope.
    fileprivate static var isForKept: Bool {
        var step = top
        while let frame = step {
            if let entry = frame.pointee.entry?.takeUnretainedValue(), !entry.isUnshared,
                entry.objectScope !== ObjectScope.weak
            {
                return true
            }
            step = frame.pointee.parent
        }
        return false
    }
}

extension AnyServiceEntry {
    /// A stable order, so that messages are the same in every run.
    fileprivate var order: (String, Int, String, String) {
        (place.file, place.line, readableName(of: serviceType), key.name ?? "")
    }
}
