/// What few slots have: their instance under other types, slots for arguments, a custom storage, and a count of resets.
///
/// Guarded by the slot's lock.
final class SlotParts {
    /// The ready instance as types that forward to its registration.
    var conversions: [ObjectIdentifier: AnyBox] = Dictionary()
    var arguments = ArgumentSlots()
    /// A number that every reset changes.
    var lastReset = Serial.next()
    /// The custom storage that keeps the instance in place of the slot.
    var storage: AnyObject?
}
