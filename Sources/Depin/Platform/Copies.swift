// Collections leave a lock as true copies. Sharing one would be safe, but only because of its reference count, which
// ThreadSanitizer does not see: it would report the next change in place, under the lock, as a race with the reader.

extension Array {
    /// A copy that shares no storage.
    package var copied: [Element] { map { $0 } }
}

extension Dictionary {
    /// A copy that shares no storage.
    var copied: [Key: Value] { mapValues { $0 } }
}
