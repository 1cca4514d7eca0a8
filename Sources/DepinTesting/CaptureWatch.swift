import Depin

/// Knows the properties that were made under overrides, for as long as they live.
///
/// A property that has its service has let go of the overrides, but the service was found under them, so it
/// counts all the same.
final class CaptureWatch: Sendable {
    private struct Property: Sendable {
        let reference: WeakObject
        let place: CodePlace

        var isThere: Bool { reference.object != nil }
    }

    private struct State {
        var properties: [Property] = []
        /// How many there may be before those are looked for that have gone.
        var limit = 64
    }

    private let state = Guarded(State())

    /// Where the properties are declared that are still there, each once for each of them.
    var places: [CodePlace] {
        let properties = state.withLock { $0.properties.copied }
        return properties.filter(\.isThere).map(\.place)
    }

    func add(_ property: AnyObject, at place: CodePlace) {
        let crowd: [Property]? = state.withLock { state in
            state.properties.append(Property(reference: WeakObject(property), place: place))
            guard state.properties.count >= state.limit else { return nil }
            defer { state.properties = [] }
            return state.properties
        }
        guard let crowd else { return }
        // Outside the lock: who looks may be the last to hold an object.
        let rest = crowd.filter(\.isThere)
        state.withLock { state in
            state.properties += rest
            state.limit = max(64, 2 * state.properties.count)
        }
    }
}
