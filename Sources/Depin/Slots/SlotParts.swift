/// What few slots have: instances under other types and for other arguments, a storage of the user's, and a count.
///
/// Guarded by the slot's lock.
final class SlotParts {
    /// The instance as the types that forward to its registration.
    final class Conversions {
        /// What they were made of.
        let source: AnyBox
        var boxes: [ObjectIdentifier: AnyBox] = Dictionary()

        init(of source: AnyBox) { self.source = source }
    }

    var conversions: Conversions?
    var arguments = ArgumentSlots()
    /// Another number after each reset, for who wants to know of one.
    var lastReset = Serial.next()
    /// Who keeps the instance in place of the slot, where its scope is the user's.
    var storage: AnyObject?

    /// Keeps a conversion, and gives back those of another instance.
    func keepConversion(_ box: AnyBox, as type: Any.Type, of source: AnyBox) -> Conversions? {
        var dropped: Conversions?
        if conversions?.source !== source {
            dropped = conversions
            conversions = Conversions(of: source)
        }
        conversions?.boxes[ObjectIdentifier(type)] = box
        return dropped
    }
}
