/// The values of the space: a set of overrides over the values of the whole process.
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
/// It is a value: a copy holds what was overridden when it was made. A key that was not overridden
/// is read from the process at each access.
///
/// Safe from any thread. It is `Sendable` so that ``current`` can be carried to where task-local
/// values do not go; the values in it are as safe as their keys' ``SpaceKey/Value`` types are.
@frozen
public struct SpaceValues: Sendable {
    // What is in it may be anything: a key's value need not be `Sendable`; see `SpaceKey`.
    @usableFromInline var overlay: SpaceOverlay?

    @inlinable
    init(overlay: SpaceOverlay?) {
        self.overlay = overlay
    }

    /// The overrides in force for the code that asks, to be captured and passed on.
    ///
    /// Overrides follow the task, as the task-local values of SE-0311 do: child tasks and
    /// `Task { }` have them, a detached task, a thread or a Dispatch queue has not. There, use what
    /// was captured:
    ///
    /// ```swift
    /// let captured = SpaceValues.current
    /// Task.detached {
    ///     withSpace(captured) { render() }
    /// }
    /// ```
    ///
    /// Outside every `withSpace` it holds no override at all. Changing the copy changes neither the
    /// overrides in force nor the process.
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
    /// Setting it overrides the key in this set of values and releases what the set held before.
    @inlinable
    public subscript<Key: SpaceKey>(key: Key.Type) -> Key.Value {
        get {
            guard let override = overlay?.override(of: key) else {
                return SharedSpace.shared.value(of: key)
            }
            return override.value
        }
        set {
            let rest = overlay?.removing(ObjectIdentifier(key))
            overlay = SpaceOverride<Key>(newValue, over: rest)
        }
    }

    /// Changes the values of the whole process, for everyone who has not overridden them.
    ///
    /// Meant for the launch of an app or of a preview:
    ///
    /// ```swift
    /// SpaceValues.updateShared { $0.theme = "dark" }
    /// ```
    ///
    /// The closure sees the process-wide values and what it has set itself, never the overrides in
    /// force around the call. What it set takes effect all at once when it returns; when it throws,
    /// nothing changes. An `@Injected` property that has resolved keeps what it has.
    ///
    /// Safe from any thread. Updates of different keys at the same time all take; of two updates of
    /// the same key the one that returns last wins, so computing a new value from the old one, as
    /// in `$0.count += 1`, can lose the other's change.
    ///
    /// - Parameter body: Sets the new values.
    /// - Throws: What `body` throws.
    public static func updateShared(_ body: (inout SpaceValues) throws -> Void) rethrows {
        var values = SpaceValues(overlay: nil)
        try body(&values)
        SharedSpace.shared.store(values.overlay)
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
    /// What is read from the process is not listed.
    public var description: String {
        var overrides: [(key: String, qualifiedKey: String, value: String)] = []
        var node = overlay
        while let override = node {
            overrides.append(override.describe())
            node = override.parent
        }
        overrides.sort { ($0.key, $0.qualifiedKey) < ($1.key, $1.qualifiedKey) }
        return "SpaceValues(\(overrides.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
    }
}
