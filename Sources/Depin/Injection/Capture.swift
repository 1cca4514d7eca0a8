/// The overrides that a property captured when it was made: on first access, on whatever thread, the container is asked
/// that they name (`PropertyRequest`).
///
/// They hold their containers open, so that an object made under an override works forever, except for a
/// container that keeps what the property belongs to: that one outlives it, and would never go. What belongs to
/// a graph holds them through the graph, which lets go where something takes it that the container keeps.
final class Capture: Sendable {
    /// An override of a container that keeps the property, or may come to; its owner is the graph's, and nil for a
    /// container that keeps the property.
    private typealias Kept = (
        key: any SpaceKey.Type, engine: Engine, owner: Owner?, isAssembler: Bool
    )

    private let others: SpaceValues
    // A metatype never changes.
    private nonisolated(unsafe) let kept: [Kept]

    init(_ overlay: SpaceOverlay) {
        var others = SpaceValues(overlay: overlay)
        kept = Resolution.withCurrent { resolution in
            guard !resolution.isIdle else { return [] }
            return others.overrides.compactMap { override -> Kept? in
                let (key, value) = (override.key, override.box.anyValue)
                guard let owner = SpaceValues.container(of: value)?.owner else { return nil }
                let captured = resolution.captured(owner)
                if captured === owner { return nil }
                others.overlay = others.overlay?.removing(key)
                return (key, owner.engine, captured, value is Assembler)
            }
        }
        self.others = others
    }

    /// The overrides.
    var overlay: SpaceOverlay? {
        var values = others
        for kept in kept {
            // One that has gone is closed, and answers so.
            let owner = Owner(beside: kept.engine) ?? Owner(ofNewOrEnded: kept.engine)
            let container = Container.of(owner)
            values.set(kept.isAssembler ? Assembler(container: container) : container, kept.key)
        }
        return values.overlay
    }

    /// Who keeps a container open for the property.
    func owner(of container: Container) -> Owner? {
        guard let kept = kept.first(where: { $0.engine === container.engine }) else {
            return container.owner
        }
        return kept.owner
    }
}

extension SpaceValues {
    /// Overrides a key whose type only the runtime knows.
    package mutating func set(_ value: Any, _ key: any SpaceKey.Type) {
        func set<Key: SpaceKey>(_ key: Key.Type) {
            if let value = value as? Key.Value { self[key] = value }
        }
        set(key)
    }
}
