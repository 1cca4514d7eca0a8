import Depin

/// Knows the properties that were made under overrides, as long as they live.
///
/// A property that has its service has let go of the overrides. It still counts, because it found the service under
/// them.
final class CaptureWatch: Sendable {
    private typealias Property = (reference: WeakObject, place: CodePlace)

    /// At the limit, properties that have gone are looked for.
    private let state = Guarded((properties: [Property](), limit: 64))

    /// The places of the living properties, one for each property.
    var places: [CodePlace] {
        let properties = state.withLock { $0.properties.copied }
        return properties.filter { $0.reference.object != nil }.map { $0.place }
    }

    func remember(_ property: AnyObject, at place: CodePlace) {
        let crowd: [Property]? = state.withLock { state in
            state.properties.append((WeakObject(property), place))
            guard state.properties.count >= state.limit else { return nil }
            defer { state.properties = [] }
            return state.properties
        }
        guard let crowd else { return }
        // Outside of the lock, because this may hold the last reference to an object.
        let rest = crowd.filter { $0.reference.object != nil }
        state.withLock { state in
            state.properties += rest
            state.limit = max(64, 2 * state.properties.count)
        }
    }
}
