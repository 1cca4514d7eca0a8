/// An instance that a container closes.
package struct ClosedInstance: Sendable {
    let registration: Registration
    /// What the factory made, held weakly where the scope holds it so.
    let box: AnyBox

    init?(_ registration: Registration, _ made: AnyBox, isKept: Bool) {
        let held = isKept && registration.kind == .weak ? made.weakened() : made
        guard let held else { return nil }
        (self.registration, box) = (registration, held)
    }

    /// The same, held, if it is still there.
    var held: ClosedInstance? {
        box.strengthened().flatMap { ClosedInstance(registration, $0, isKept: false) }
    }
}
