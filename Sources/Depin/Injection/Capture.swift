/// The overrides that a property captured when it was made.
///
/// On first access, on whatever thread, their container is asked (`PropertyRequest`).
///
/// They hold their containers open, so that an object made under an override works forever. The exception is a
/// container that keeps the property's object: it outlives that object, and would never end. For an object of a graph,
/// the graph holds them, and lets go when an instance that the container keeps takes the object.
final class Capture: Sendable {
    /// An override whose container keeps the property, or may come to keep it.
    ///
    /// The owner is the graph's; nil for a container that keeps the property.
    private typealias Kept = (
        key: any SpaceKey.Type, engine: Engine, owner: Owner?, isAssembler: Bool
    )

    private let others: SpaceValues
    // A metatype never changes.
    private nonisolated(unsafe) let kept: [Kept]

    init(_ overlay: SpaceOverlay) {
        var others = SpaceValues(overlay: overlay)
        kept = Resolution.withCurrent { resolution in
            others.overrides.compactMap { override -> Kept? in
                let value = override.box.anyValue
                guard let owner = SpaceValues.container(of: value)?.owner else { return nil }
                let captured = resolution.captured(owner)
                if captured === owner { return nil }
                others.overlay = others.overlay?.removing(override.key)
                return (override.key, owner.engine, captured, value is Assembler)
            }
        }
        self.others = others
    }

    /// The overrides.
    var overlay: SpaceOverlay? {
        var values = others
        for kept in kept {
            // A container that has gone is closed, and says so.
            let owner = Owner(beside: kept.engine) ?? Owner(ofNewOrEnded: kept.engine)
            let container = Container.of(owner)
            values.set(kept.isAssembler ? Assembler(container: container) : container, kept.key)
        }
        return values.overlay
    }

    /// The owner that keeps a container open for the property.
    func owner(of container: Container) -> Owner? {
        guard let kept = kept.first(where: { $0.engine === container.engine }) else {
            return container.owner
        }
        return kept.owner
    }
}
