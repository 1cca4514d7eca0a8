import Depin

/// Knows the properties that were made under overrides, for as long as they live.
///
/// A property that has its service has let go of the overrides, but the service was found under them, so it
/// counts all the same.
final class CaptureWatch: Sendable {
    private typealias Property = (reference: WeakObject, place: CodePlace)

    /// With so many of them, those are looked for that have gone.
    private let state = Guarded((properties: [Property](), limit: 64))

    /// Where the properties are declared that are still there, each once for each of them.
    var places: [CodePlace] {
        let properties = state.withLock { $0.properties.copied }
        return properties.filter { $0.reference.object != nil }.map { $0.place }
    }

    func watch(_ property: AnyObject, at place: CodePlace) {
        let crowd: [Property]? = state.withLock { state in
            state.properties.append((WeakObject(property), place))
            guard state.properties.count >= state.limit else { return nil }
            defer { state.properties = [] }
            return state.properties
        }
        guard let crowd else { return }
        // Outside the lock: who looks may be the last to hold an object.
        let rest = crowd.filter { $0.reference.object != nil }
        state.withLock { state in
            state.properties += rest
            state.limit = max(64, 2 * state.properties.count)
        }
    }
}
