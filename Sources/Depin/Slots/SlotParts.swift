/// What few slots have: their instance under other types, slots for arguments, a custom storage, and a count of resets.
///
/// Guarded by the slot's lock.
final class SlotParts {
    /// The instance as types that forward to its registration.
    final class Conversions {
        /// The instance that was converted.
        let source: AnyBox
        var boxes: [ObjectIdentifier: AnyBox] = Dictionary()

        init(of source: AnyBox) { self.source = source }
    }

    var conversions: Conversions?
    var arguments = ArgumentSlots()
    /// A number that every reset changes.
    var lastReset = Serial.next()
    /// The custom storage that keeps the instance in place of the slot.
    var storage: AnyObject?

    /// Keeps a conversion, and gives back those of an earlier instance.
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
