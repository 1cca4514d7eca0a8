/// An object that lives for as long as somebody else holds it.
///
/// Unchecked, because it never changes; the runtime guards reading against the end.
package struct WeakReference: @unchecked Sendable {
    package private(set) weak var object: AnyObject?

    package init(object: AnyObject) {
        self.object = object
    }

    // Not a failable initializer: in a debug build of Swift 6.3.1 one leaves the weak reference's side table behind.
    static func to(_ value: Any?) -> WeakReference? {
        heapObject(in: value).map { WeakReference(object: $0) }
    }
}
