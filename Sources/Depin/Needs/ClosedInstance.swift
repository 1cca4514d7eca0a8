/// An instance that a container closes.
package final class ClosedInstance: Sendable {
    let registration: Registration
    /// What the factory made, held weakly where the scope holds it so.
    private let held: AnyBox

    init?(_ registration: Registration, _ made: AnyBox, isKept: Bool) {
        self.registration = registration
        guard isKept, registration.kind == .weak else {
            held = made
            return
        }
        guard let weakened = made.weakened() else { return nil }
        held = weakened
    }

    /// The instance, if it is still there.
    var box: AnyBox? { held.strengthened() }
}
