// Collections that leave a lock leave it as true copies. A shared one is safe too, but what makes it so is
// its count of references, which ThreadSanitizer does not see: it would report the next change in place,
// under the lock, as a race with whoever has read the collection outside.

extension Array {
    /// A copy that shares no storage.
    package var copied: [Element] { map { $0 } }
}

extension Dictionary {
    /// A copy that shares no storage.
    var copied: [Key: Value] { mapValues { $0 } }
}
