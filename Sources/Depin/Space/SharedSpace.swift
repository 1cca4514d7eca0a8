/// The process-wide values: what was set for the whole process, and the defaults made so far.
///
/// Unchecked, because `boxes` is only touched under `lock`.
@usableFromInline
final class SharedSpace: @unchecked Sendable {
    @usableFromInline static let shared = SharedSpace()

    private let lock = Lock()
    // Guarded by `lock`. Under a key stands a `Box` of that key's value and nothing else.
    private var boxes: [ObjectIdentifier: AnyObject] = [:]

    private init() {}

    @inlinable
    func value<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        guard let box = box(of: ObjectIdentifier(key)) else { return makeDefault(of: key) }
        return unsafeDowncast(box, to: Box<Key.Value>.self).value
    }

    @usableFromInline
    func box(of key: ObjectIdentifier) -> AnyObject? {
        lock.withLock { boxes[key] }
    }

    @usableFromInline
    @inline(never)
    func makeDefault<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        // Outside the lock, because it is the user's code, and outside any override, because it
        // stays for the whole process.
        let made = SpaceOverlay.taskOverlay.withValue(nil) { Box(Key.defaultValue) }
        let stored = lock.withLock {
            if let first = boxes[ObjectIdentifier(key)] { return first }
            boxes[ObjectIdentifier(key)] = made
            return made
        }
        return unsafeDowncast(stored, to: Box<Key.Value>.self).value
    }

    /// Takes over every override of the list, all at once for whoever reads.
    func store(_ overlay: SpaceOverlay?) {
        var changes: [(key: ObjectIdentifier, box: AnyObject)] = []
        var node = overlay
        while let override = node {
            changes.append((override.key, override.box()))
            node = override.parent
        }
        lock.withLock {
            for index in changes.indices {
                // What is replaced goes into `changes`, to be released after unlocking.
                let replaced = boxes.updateValue(changes[index].box, forKey: changes[index].key)
                if let replaced { changes[index].box = replaced }
            }
        }
    }
}
