/// The process-wide values: what was set for the whole process, over the keys' defaults.
@usableFromInline
final class SharedSpace: Sendable {
    @usableFromInline static let shared = SharedSpace()

    private struct State {
        /// What was set, each by a list of its own.
        var overrides: [ObjectIdentifier: SpaceOverlay] = [:]
        /// The keys whose defaults have been read, for messages.
        var read: [ObjectIdentifier: any SpaceKey.Type] = [:]
    }

    private let state = Guarded(State())

    /// What was set for the process, else the default.
    @usableFromInline
    func value<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        let (override, isRead) = state.withLock { state in
            (state.overrides[ObjectIdentifier(key)], state.read[ObjectIdentifier(key)] != nil)
        }
        if let override = override?.override(of: key) { return override.value }
        if !isRead { state.withLock { $0.read[ObjectIdentifier(key)] = key } }
        // Outside the lock, because it is the user's code, and outside any override, because a stored
        // default stays for the whole process.
        return SpaceOverlay.withCurrent(nil) { Key.defaultValue }
    }

    /// Every value that was set, or whose default has been read, with its key.
    var contents: [(key: any SpaceKey.Type, value: Any)] {
        let (overrides, read) = state.withLock { state in
            (state.overrides.values.map { $0 }, state.read.values.map { $0 })
        }
        func entry<Key: SpaceKey>(_ key: Key.Type) -> (key: any SpaceKey.Type, value: Any) {
            (key: key, value: value(of: key))
        }
        let known = Set(overrides.map(\.key))
        return overrides.map { ($0.keyType, $0.anyValue) }
            + read.filter { !known.contains(ObjectIdentifier($0)) }.map { entry($0) }
    }

    /// Takes over every override of the list, all at once for whoever reads.
    func store(_ overlay: SpaceOverlay?) {
        var changes: [SpaceOverlay] = []
        var node = overlay
        while let override = node {
            changes.append(override.copy(parent: nil))
            node = override.parent
        }
        let replaced = state.withLock { state in
            changes.map { state.overrides.updateValue($0, forKey: $0.key) }
        }
        // What is replaced may run user code when it goes.
        withExtendedLifetime(replaced) {}
    }
}
