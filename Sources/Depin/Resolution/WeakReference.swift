/// An object that lives for as long as somebody else holds it.
///
/// Unchecked, because it never changes; the runtime guards reading against the end.
struct WeakReference: @unchecked Sendable {
    private(set) weak var object: AnyObject?

    // Not a failable initializer: in a debug build of Swift 6.3.1 one leaves the weak reference's side table behind.
    static func to(_ value: Any?) -> WeakReference? {
        heapObject(in: value).map { WeakReference(object: $0) }
    }
}
