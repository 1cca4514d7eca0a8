/// The process-wide values: what was set for the whole process, over the keys' defaults.
@usableFromInline
final class SharedSpace: Sendable {
    @usableFromInline static let shared = SharedSpace()

    /// What was set for a key; nil for one whose default has been read, for messages.
    private typealias Known = (key: any SpaceKey.Type, box: AnyBox?)

    /// In the order in which they were first read or set.
    // An array, because a program has few keys: hashing one took longer than looking through them (row 6f: 7 %).
    private let known = Guarded<[Known]>([])

    /// What was set for the process, else the default.
    @usableFromInline
    func value<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        let box = known.withLock { known -> AnyBox? in
            if let value = known.first(where: { $0.key == key }) { return value.box }
            known.append((key, nil))
            return nil
        }
        if let box { return unsafeDowncast(box, to: Box<Key.Value>.self).value }
        // Outside the lock, because it is the user's code, and outside any override, because a stored
        // default stays for the whole process.
        return SpaceOverlay.withCurrent(nil) { Key.defaultValue }
    }

    /// Every value that was set, and of some types the defaults that have been read, each with its key.
    func contents(withDefaultsOf types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let values = known.withLock { $0.copied }.compactMap { known in
            known.box.map { (key: known.key, value: $0.anyValue) }
        }
        return values + defaults(of: types)
    }

    /// The defaults of some types that have been read and not replaced, each with its key.
    ///
    /// No others, because a default may be computed, which is the user's code.
    func defaults(of types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let read = known.withLock { $0.filter { $0.box == nil } }
        func entry<Key: SpaceKey>(_ key: Key.Type) -> (key: any SpaceKey.Type, value: Any)? {
            types.contains { $0 == Key.Value.self } ? (key: key, value: value(of: key)) : nil
        }
        return read.compactMap { key, _ in entry(key) }
    }

    /// Takes over values, all at once for whoever reads.
    func store(_ changes: [(key: any SpaceKey.Type, box: AnyBox)]) {
        let replaced = known.withLock { known in
            changes.map { change -> AnyBox? in
                guard let index = known.firstIndex(where: { $0.key == change.key }) else {
                    known.append((change.key, change.box))
                    return nil
                }
                defer { known[index].box = change.box }
                return known[index].box
            }
        }
        // What is replaced may run user code when it goes.
        withExtendedLifetime(replaced) {}
    }
}
