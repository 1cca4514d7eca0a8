/// The process-wide values: what was set for the whole process, over the keys' defaults.
@usableFromInline
final class SharedSpace: Sendable {
    @usableFromInline static let shared = SharedSpace()

    /// What was set: a `Box` of the key's value; nil for a key whose default has been read, for messages.
    private let known = Guarded(HashTable<TypeKey, (key: any SpaceKey.Type, box: AnyBox?)>())

    /// What was set for the process, else the default.
    @usableFromInline
    func value<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        let box = known.withLock { known -> AnyBox? in
            if let value = known[TypeKey(key)] { return value.box }
            known[TypeKey(key)] = (key, nil)
            return nil
        }
        if let box { return unsafeDowncast(box, to: Box<Key.Value>.self).value }
        // Outside the lock, because it is the user's code, and outside any override, because a stored
        // default stays for the whole process.
        return SpaceOverlay.withCurrent(nil) { Key.defaultValue }
    }

    /// Every value that was set, and of some types the defaults that have been read, each with its key.
    func contents(withDefaultsOf types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let values = known.withLock { $0.all }.compactMap { known in
            known.value.box.map { (key: known.value.key, value: $0.anyValue) }
        }
        return values + defaults(of: types)
    }

    /// The defaults of some types that have been read and not replaced, each with its key.
    ///
    /// No others, because a default may be computed, which is the user's code.
    func defaults(of types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let read = known.withLock { $0.all }.filter { $0.value.box == nil }.map(\.value.key)
        func entry<Key: SpaceKey>(_ key: Key.Type) -> (key: any SpaceKey.Type, value: Any)? {
            types.contains { $0 == Key.Value.self } ? (key: key, value: value(of: key)) : nil
        }
        return read.compactMap { entry($0) }
    }

    /// Takes over values, all at once for whoever reads.
    func store(_ changes: [(key: any SpaceKey.Type, box: AnyBox)]) {
        let replaced = known.withLock { known in
            changes.map { known.exchange(($0.key, $0.box), for: TypeKey($0.key)) }
        }
        // What is replaced may run user code when it goes.
        withExtendedLifetime(replaced) {}
    }
}
