/// The process-wide values: what was set for the whole process, over the keys' defaults.
@usableFromInline
final class SharedSpace: Sendable {
    @usableFromInline static let shared = SharedSpace()

    private struct State {
        /// What was set: a `Box` of the key's value.
        var values = HashTable<TypeKey, (key: any SpaceKey.Type, box: AnyBox)>()
        /// The keys whose defaults have been read, for messages.
        var read = HashTable<TypeKey, any SpaceKey.Type>()
    }

    private let state = Guarded(State())

    /// What was set for the process, else the default.
    @usableFromInline
    func value<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        let known = state.withLock { state -> AnyBox? in
            if let value = state.values[TypeKey(key)] { return value.box }
            if state.read[TypeKey(key)] == nil { state.read[TypeKey(key)] = key }
            return nil
        }
        if let known { return unsafeDowncast(known, to: Box<Key.Value>.self).value }
        // Outside the lock, because it is the user's code, and outside any override, because a stored
        // default stays for the whole process.
        return SpaceOverlay.withCurrent(nil) { Key.defaultValue }
    }

    /// Every value that was set, and of some types the defaults that have been read, each with its key.
    func contents(withDefaultsOf types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let values = state.withLock { $0.values.all }
        return values.map { ($0.value.key, $0.value.box.anyValue) } + defaults(of: types)
    }

    /// The defaults of some types that have been read and not replaced, each with its key.
    ///
    /// No others, because a default may be computed, which is the user's code.
    func defaults(of types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let read = state.withLock { state in
            state.read.all.filter { state.values[$0.key] == nil }.map(\.value)
        }
        func entry<Key: SpaceKey>(_ key: Key.Type) -> (key: any SpaceKey.Type, value: Any)? {
            types.contains { $0 == Key.Value.self } ? (key: key, value: value(of: key)) : nil
        }
        return read.compactMap { entry($0) }
    }

    /// Takes over values, all at once for whoever reads.
    func store(_ changes: [(key: any SpaceKey.Type, box: AnyBox)]) {
        let replaced = state.withLock { state in
            changes.map { state.values.exchange($0, for: TypeKey($0.key)) }
        }
        // What is replaced may run user code when it goes.
        withExtendedLifetime(replaced) {}
    }
}
