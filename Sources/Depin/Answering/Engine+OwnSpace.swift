// The space in which an instance is made, if a container shares it.

/// A value of the space that is a container, or has one.
protocol ContainerValue {
    /// The value for a parent of the container, or for a parent's parent, that an engine belongs to.
    func parent(with engine: Engine) -> Self?
}

extension Engine {
    /// The space in which this engine makes what it shares; nil if that is the one in force.
    ///
    /// A child's container, like a request's, is not in it: what the instance's properties and tasks get must not depend
    /// on who happened to need the instance first.
    var ownSpace: SpaceValues? {
        guard SpaceOverlay.current != nil, hasFlag(.wasParent) else { return nil }
        var values = SpaceValues.current
        for override in values.overrides {
            let child = override.box.anyValue as? any ContainerValue
            if let parent = child?.parent(with: self) { values.set(parent, override.key) }
        }
        return values.overlay === SpaceOverlay.current ? nil : values
    }

    /// The same for a claimed instance; nil if no slot keeps it.
    @inline(__always)
    func ownSpace(for claim: Claim) -> SpaceValues? {
        if case .building = claim.destination { ownSpace } else { nil }
    }
}
