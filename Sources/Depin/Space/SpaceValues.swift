/// The values of the space: a set of overrides on top of the values of the process.
///
/// Declare a property for each ``SpaceKey`` in an extension, as with SwiftUI's `EnvironmentValues`,
/// and name it by its key path in ``Space`` and in ``withSpace(_:_:operation:)``:
///
/// ```swift
/// extension SpaceValues {
///     var theme: String {
///         get { self[ThemeKey.self] }
///         set { self[ThemeKey.self] = newValue }
///     }
/// }
/// ```
///
/// A copy holds the overrides from when it was made. Every other key is read from the process at each
/// access.
///
/// Safe from any thread. It is `Sendable` so that you can pass ``current`` to code that does not inherit
/// task-local values. The values in it are as safe as the ``SpaceKey/Value`` types of their keys.
@frozen
public struct SpaceValues: Sendable {
    // The values need not be `Sendable`: see `SpaceKey`.
    @usableFromInline var overlay: SpaceOverlay?

    @inlinable
    init(overlay: SpaceOverlay?) {
        self.overlay = overlay
    }

    /// The overrides in force for the running code, which you can capture and pass on.
    ///
    /// Overrides follow the task, as the task-local values of SE-0311 do. Child tasks and `Task { }`
    /// inherit them; a detached task, a thread and a Dispatch queue do not. Pass them on there:
    ///
    /// ```swift
    /// let captured = SpaceValues.current
    /// Task.detached {
    ///     withSpace(captured) { render() }
    /// }
    /// ```
    ///
    /// Outside every `withSpace` it holds no override. Changing the copy does not change the overrides in
    /// force or the process.
    @inlinable public static var current: SpaceValues {
        SpaceValues(overlay: .current)
    }

    /// The value of a key: the override, else the process-wide value, else the key's default.
    ///
    /// ```swift
    /// extension SpaceValues {
    ///     var theme: String {
    ///         get { self[ThemeKey.self] }
    ///         set { self[ThemeKey.self] = newValue }
    ///     }
    /// }
    /// ```
    ///
    /// Setting it overrides the key in this set of values and releases the previous value.
    @inlinable
    public subscript<Key: SpaceKey>(key: Key.Type) -> Key.Value {
        get {
            guard let override = overlay?.override(of: key) else {
                return SharedSpace.value(of: key)
            }
            return override.value
        }
        set {
            overlay = SpaceOverlay(key, Box(newValue), over: overlay?.removing(key))
        }
    }

    /// Changes the values of the whole process, wherever they are not overridden.
    ///
    /// Use it when an app or a preview launches:
    ///
    /// ```swift
    /// SpaceValues.updateShared { $0.theme = "dark" }
    /// ```
    ///
    /// The closure sees the process-wide values and its own changes, never the overrides in force around
    /// the call. Its changes take effect together when it returns; if it throws, nothing changes. An
    /// `@Injected` property that has resolved keeps its service.
    ///
    /// Safe from any thread. Simultaneous updates of different keys all take effect. Of two updates of the
    /// same key, the one that returns last wins. So an update that computes the new value from the old one,
    /// such as `$0.count += 1`, can be lost.
    ///
    /// - Parameter body: Sets the new values.
    /// - Throws: What `body` throws.
    public static func updateShared(_ body: (inout SpaceValues) throws -> Void) rethrows {
        var values = SpaceValues(overlay: nil)
        try body(&values)
        SharedSpace.store(values.overrides)
    }

    /// Sets the value of a key whose type only the runtime knows.
    mutating func set(_ value: Any, _ key: any SpaceKey.Type) {
        func set<Key: SpaceKey>(_ key: Key.Type) {
            if let value = value as? Key.Value { self[key] = value }
        }
        set(key)
    }

    /// Every override, the last one first.
    var overrides: [SpaceOverlay] { overlay?.nodes ?? [] }

    /// Every value that is set here or in the process, and the defaults of some types, each with its key, in the order
    /// of the keys' names.
    ///
    /// An overridden key has the value in force.
    func contents(
        withDefaultsOf types: [Any.Type]
    ) -> [(key: any SpaceKey.Type, value: Any)] {
        let overrides = overrides
        let shared = SharedSpace.contents + SharedSpace.defaults(of: types)
        let others = shared.filter { shared in !overrides.contains { $0.key == shared.key } }
        return (overrides.map { (key: $0.key, value: $0.box.anyValue) } + others)
            .ordered { String(reflecting: $0.key) < String(reflecting: $1.key) }
    }
}

extension SpaceValues: CustomStringConvertible {
    /// The overridden keys with their values, ordered by the names of the keys.
    ///
    /// ```swift
    /// withSpace(\.theme, "dark") {
    ///     print(SpaceValues.current)  // SpaceValues(ThemeKey: dark)
    /// }
    /// ```
    ///
    /// Values of the process are not listed.
    public var description: String {
        func names(_ key: Any.Type) -> (String, String) { ("\(key)", String(reflecting: key)) }
        let texts = overrides.ordered { names($0.key) < names($1.key) }
            .map { "\($0.key): \($0.box.anyValue)" }
        return "SpaceValues(\(texts.joined(separator: ", ")))"
    }
}

/// The process-wide values: what was set for the whole process, over the keys' defaults.
@usableFromInline
enum SharedSpace {
    /// The value that was set for a key; nil for a key whose default was only read, for messages.
    private typealias Known = (key: any SpaceKey.Type, box: AnyBox?)

    /// The keys that were read or set.
    // An array, because a program has few keys, and hashing one took longer than comparing all (row 6f: 7 %).
    private static let known = Guarded<[Known]>([])

    /// What was set for the process, else the default.
    @usableFromInline
    static func value<Key: SpaceKey>(of key: Key.Type) -> Key.Value {
        let box = known.withLock { known -> AnyBox? in
            if let value = known.first(where: { $0.key == key }) { return value.box }
            known.append((key, nil))
            return nil
        }
        if let box { return unsafeDowncast(box, to: Box<Key.Value>.self).value }
        // Outside of the lock, because this is user code, and outside of any override, because a stored default stays
        // for the whole process.
        return SpaceOverlay.withCurrent(nil) { Key.defaultValue }
    }

    /// Every value that was set, with its key.
    static var contents: [(key: any SpaceKey.Type, value: Any)] {
        known.withLock { $0.copied }.compactMap { known in
            known.box.map { (key: known.key, value: $0.anyValue) }
        }
    }

    /// The defaults of some types that were read and not replaced, each with its key.
    ///
    /// Only those that were read, because a default may be computed by user code.
    static func defaults(of types: [Any.Type]) -> [(key: any SpaceKey.Type, value: Any)] {
        let read = known.withLock { $0.filter { $0.box == nil } }
        func entry<Key: SpaceKey>(_ key: Key.Type) -> (key: any SpaceKey.Type, value: Any)? {
            types.contains { $0 == Key.Value.self } ? (key: key, value: value(of: key)) : nil
        }
        return read.compactMap { key, _ in entry(key) }
    }

    /// Sets values, all at once for readers.
    static func store(_ changes: [SpaceOverlay]) {
        let replaced = known.withLock { known in
            let others = known.filter { other in !changes.contains { $0.key == other.key } }
            defer { known = others + changes.map { ($0.key, $0.box) } }
            return known
        }
        // User code may run when a replaced value goes.
        withExtendedLifetime(replaced) {}
    }
}
