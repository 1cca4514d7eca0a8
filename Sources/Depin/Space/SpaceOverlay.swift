import Synchronization

/// The overrides in force, as a persistent list: one node for each key that was set.
///
/// A list rather than a dictionary because a push then costs one allocation, and because a program
/// overrides few keys at a time. A key stands in it at most once, so that the list is bounded by
/// the number of keys and keeps no shadowed value alive.
///
/// Unchecked, because a node never changes after its initializer; whether the value in it can be
/// used from several threads is by contract the duty of the key (see ``SpaceKey``).
@usableFromInline
package class SpaceOverlay: @unchecked Sendable {
    @usableFromInline final let key: ObjectIdentifier
    @usableFromInline final let parent: SpaceOverlay?

    /// How many nodes live in the process.
    @usableFromInline static let liveCount = Atomic<Int>(0)

    @usableFromInline static let taskOverlay = TaskLocal<SpaceOverlay?>(wrappedValue: nil)

    /// The overrides in force for the code that asks.
    ///
    /// A process without any override, which is every app outside its tests, pays one atomic
    /// load (1 ns) for it instead of a task-local read (18 ns). Relaxed is enough: who has a node
    /// bound holds it, and from its creation to its release the count is never below one.
    @inlinable package static var current: SpaceOverlay? {
        liveCount.load(ordering: .relaxed) == 0 ? nil : taskOverlay.get()
    }

    /// Runs a body under the overrides that were captured, where others are in force.
    package static func withCurrent<Result>(
        _ overlay: SpaceOverlay?,
        insteadOf inForce: SpaceOverlay? = current,
        _ body: () -> Result
    ) -> Result {
        if overlay === inForce { return body() }
        return taskOverlay.withValue(overlay, operation: body)
    }

    @usableFromInline
    init(key: ObjectIdentifier, parent: SpaceOverlay?) {
        self.key = key
        self.parent = parent
        Self.liveCount.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        SpaceOverlay.liveCount.wrappingSubtract(1, ordering: .relaxed)
    }

    /// The node that overrides `key`.
    @inlinable
    final func override<Key: SpaceKey>(of key: Key.Type) -> SpaceOverride<Key>? {
        let wanted = ObjectIdentifier(key)
        var node = self
        while node.key != wanted {
            guard let parent = node.parent else { return nil }
            node = parent
        }
        // Only `SpaceOverride<Key>` stands under this key: its initializer is the one that says so.
        return unsafeDowncast(node, to: SpaceOverride<Key>.self)
    }

    /// This list without the node of `key`.
    @usableFromInline
    final func removing(_ key: ObjectIdentifier) -> SpaceOverlay? {
        if self.key == key { return parent }
        guard let parent else { return self }
        let rest = parent.removing(key)
        return rest === parent ? self : copy(parent: rest)
    }

    func copy(parent: SpaceOverlay?) -> SpaceOverlay {
        preconditionFailure("only SpaceOverride is ever created")
    }

    /// The key's type.
    var keyType: any SpaceKey.Type {
        preconditionFailure("only SpaceOverride is ever created")
    }

    /// The value of this node alone, for the process-wide values.
    func box() -> AnyBox {
        preconditionFailure("only SpaceOverride is ever created")
    }
}

/// The override of one key.
///
/// Unchecked, because a node never changes; see ``SpaceOverlay``. Its layout is fixed, so that the initializer
/// is inlined with library evolution too.
@usableFromInline
@_fixed_layout
final class SpaceOverride<Key: SpaceKey>: SpaceOverlay, @unchecked Sendable {
    @usableFromInline let value: Key.Value

    @inlinable
    init(_ value: Key.Value, over parent: SpaceOverlay?) {
        self.value = value
        super.init(key: ObjectIdentifier(Key.self), parent: parent)
    }

    override func copy(parent: SpaceOverlay?) -> SpaceOverlay {
        SpaceOverride(value, over: parent)
    }

    override var keyType: any SpaceKey.Type { Key.self }

    override func box() -> AnyBox { Box(value) }
}
