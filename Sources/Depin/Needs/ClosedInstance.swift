/// An instance that its container will close.
// A class, because it is in many arrays, and each copy of a structure is code.
final class ClosedInstance: Sendable {
    let registration: Registration
    /// The factory's product.
    let box: AnyBox
    /// True if it is held weakly, as its scope holds it.
    private let isWeak: Bool

    private init(_ registration: Registration, _ box: AnyBox, isWeak: Bool) {
        (self.registration, self.box, self.isWeak) = (registration, box, isWeak)
    }

    /// Nil for an instance that its scope cannot hold.
    convenience init?(_ registration: Registration, _ made: AnyBox, isKept: Bool) {
        let isWeak = isKept && registration.kind == .weak
        guard let box = isWeak ? made.weakened() : made else { return nil }
        self.init(registration, box, isWeak: isWeak)
    }

    /// The same instance, held strongly; nil if it has gone.
    var held: ClosedInstance? { with(box.strengthened()) }

    /// The same instance, held as its scope holds it.
    var kept: ClosedInstance? { isWeak ? with(box.weakened()) : self }

    private func with(_ box: AnyBox?) -> ClosedInstance? {
        box.map { ClosedInstance(registration, $0, isWeak: isWeak) }
    }
}
