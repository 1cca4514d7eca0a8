/// An instance that a container closes.
package struct ClosedInstance: Sendable {
    let registration: Registration
    /// What the factory made.
    let box: AnyBox
    /// True where its scope holds it weakly, and so does who is to close it.
    private let isWeak: Bool

    /// The same, held, if it is still there.
    var held: ClosedInstance? {
        box.strengthened().map {
            ClosedInstance(registration: registration, box: $0, isWeak: isWeak)
        }
    }

    /// The same, held as its scope does.
    var kept: ClosedInstance? {
        guard isWeak else { return self }
        return box.weakened().map {
            ClosedInstance(registration: registration, box: $0, isWeak: true)
        }
    }
}

extension ClosedInstance {
    /// Nil for what its scope cannot hold.
    init?(_ registration: Registration, _ made: AnyBox, isKept: Bool) {
        let isWeak = isKept && registration.kind == .weak
        let whole = ClosedInstance(registration: registration, box: made, isWeak: isWeak)
        guard let kept = whole.kept else { return nil }
        self = kept
    }
}
