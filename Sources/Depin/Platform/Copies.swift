// Collections leave a lock as true copies. Sharing one would be safe, but only because of its reference count, which
// ThreadSanitizer does not see: it would report the next change in place, under the lock, as a race with the reader.

extension Array {
    /// A copy that shares no storage.
    // Compiled once, and not for each type: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package var copied: [Element] { withUnsafeBufferPointer { Array($0) } }
}
