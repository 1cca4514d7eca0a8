/// An instance that a container closes.
// A class, since it is in many arrays: each copy of a structure is code.
package final class ClosedInstance: Sendable {
    let registration: Registration
    /// What the factory made.
    let box: AnyBox
    /// True where its scope holds it weakly, and so does who is to close it.
    private let isWeak: Bool

    private init(_ registration: Registration, _ box: AnyBox, isWeak: Bool) {
        (self.registration, self.box, self.isWeak) = (registration, box, isWeak)
    }

    /// Nil for what its scope cannot hold.
    convenience init?(_ registration: Registration, _ made: AnyBox, isKept: Bool) {
        let isWeak = isKept && registration.kind == .weak
        guard let box = isWeak ? made.weakened() : made else { return nil }
        self.init(registration, box, isWeak: isWeak)
    }

    /// The same, held, if it is still there.
    var held: ClosedInstance? { with(box.strengthened()) }

    /// The same, held as its scope does.
    var kept: ClosedInstance? { isWeak ? with(box.weakened()) : self }

    private func with(_ box: AnyBox?) -> ClosedInstance? {
        box.map { ClosedInstance(registration, $0, isWeak: isWeak) }
    }
}
