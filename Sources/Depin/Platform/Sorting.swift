extension Sequence {
    /// The elements in their order; those that are equal in it stay as they are.
    ///
    /// What is sorted here is short or rare. So the code is not stamped out for each type of element, as that of
    /// `sorted(by:)` is: 3 KB each time.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        sorted(by: precedes)
    }
}
