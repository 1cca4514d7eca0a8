/// The overrides that a property captured when it was made.
///
/// They hold their containers open, so that an object made under an override works forever, except for a
/// container that keeps what the property belongs to: that one outlives it, and would never go. What belongs to
/// a graph holds them through the graph, which lets go where something takes it that the container keeps.
struct Capture: Sendable {
    /// An override of a container that keeps the property, or may come to.
    private struct Kept: Sendable {
        // A metatype never changes.
        nonisolated(unsafe) let key: any SpaceKey.Type
        let core: Core
        /// The graph's owner; nil for a container that keeps the property.
        let owner: CoreOwner?
        let isAssembler: Bool
    }

    private let others: SpaceValues
    private let kept: [Kept]

    init(_ overlay: SpaceOverlay) {
        var others = SpaceValues(overlay: overlay)
        kept = Path.withCurrent { path in
            guard !path.isIdle else { return [] }
            return others.overrides.compactMap { key, value in
                guard let owner = SpaceValues.container(of: value)?.owner else { return nil }
                let lent = path.belongs(to: owner.core) ? nil : path.lent(owner)
                if lent === owner { return nil }
                others.removeOverride(of: key)
                let isAssembler = value is Assembler
                return Kept(key: key, core: owner.core, owner: lent, isAssembler: isAssembler)
            }
        }
        self.others = others
    }

    /// The overrides.
    var overlay: SpaceOverlay? {
        var values = others
        for kept in kept {
            // One that has gone is closed, and answers so.
            let owner = CoreOwner(beside: kept.core) ?? CoreOwner(ofNewOrGone: kept.core)
            let container = Container.of(owner)
            values.set(kept.isAssembler ? Assembler(container: container) : container, kept.key)
        }
        return values.overlay
    }

    /// Who keeps a container open for the property.
    func owner(of container: Container) -> CoreOwner? {
        guard let kept = kept.first(where: { $0.core === container.core }) else {
            return container.owner
        }
        return kept.owner
    }
}

extension SpaceValues {
    /// Overrides a key whose type only the runtime knows.
    mutating func set(_ value: Any, _ key: any SpaceKey.Type) {
        func set<Key: SpaceKey>(_ key: Key.Type) {
            if let value = value as? Key.Value { self[key] = value }
        }
        set(key)
    }
}
