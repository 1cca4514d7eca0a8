import Synchronization

/// The overrides in force, as a persistent list with one node for each key.
///
/// A list and not a dictionary, because a push costs little, and a program overrides few keys at a time. A key stands
/// in it at most once, so the list is bounded by the number of keys, and keeps no shadowed value alive.
///
/// Unchecked, because a node never changes after its initializer; that its value can be used from several threads is by
/// contract the duty of the key (see ``SpaceKey``).
@usableFromInline
package final class SpaceOverlay: @unchecked Sendable {
    /// The key that is overridden.
    @usableFromInline let key: any SpaceKey.Type
    /// The value, in a box of the key's value type.
    @usableFromInline let box: AnyBox
    @usableFromInline let parent: SpaceOverlay?

    /// How many nodes live in the process.
    @usableFromInline static let liveCount = Atomic<Int>(0)

    @usableFromInline static let taskOverlay = TaskLocal<SpaceOverlay?>(wrappedValue: nil)

    /// The overrides in force for the current code.
    ///
    /// A process without any override, which is every app outside of its tests, pays one atomic load for it (1 ns)
    /// instead of a task-local read (18 ns). Relaxed is enough: code under an override holds its node, and from the
    /// node's creation to its release the count is never below one.
    @inlinable package static var current: SpaceOverlay? {
        liveCount.load(ordering: .relaxed) == 0 ? nil : taskOverlay.get()
    }

    /// Runs a body under captured overrides, if others are in force.
    package static func withCurrent<Result>(
        _ overlay: SpaceOverlay?,
        _ body: () -> Result
    ) -> Result {
        if overlay === current { return body() }
        return taskOverlay.withValue(overlay, operation: body)
    }

    @usableFromInline
    init(_ key: any SpaceKey.Type, _ box: AnyBox, over parent: SpaceOverlay?) {
        (self.key, self.box, self.parent) = (key, box, parent)
        Self.liveCount.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        Self.liveCount.wrappingSubtract(1, ordering: .relaxed)
    }

    /// The boxed value of `key`, if it is overridden.
    @inlinable
    func override<Key: SpaceKey>(of key: Key.Type) -> Box<Key.Value>? {
        if self.key == key { return unsafeDowncast(box, to: Box<Key.Value>.self) }
        return parent?.override(of: key)
    }

    /// The nodes of this list, the last one first.
    var nodes: [SpaceOverlay] { [self] + (parent?.nodes ?? []) }

    /// This list without the node of `key`.
    @usableFromInline
    func removing(_ key: any SpaceKey.Type) -> SpaceOverlay? {
        if self.key == key { return parent }
        guard let parent else { return self }
        let rest = parent.removing(key)
        return rest === parent ? self : SpaceOverlay(self.key, box, over: rest)
    }
}
