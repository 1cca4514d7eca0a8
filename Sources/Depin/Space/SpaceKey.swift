/// A key of the space: names one value that any code may read and a test may replace.
///
/// Conform a caseless enum to it, then give ``SpaceValues`` a property that reads and writes the
/// value, as with SwiftUI's `EnvironmentKey`:
///
/// ```swift
/// enum ThemeKey: SpaceKey {
///     static var defaultValue: String { "light" }
/// }
///
/// extension SpaceValues {
///     var theme: String {
///         get { self[ThemeKey.self] }
///         set { self[ThemeKey.self] = newValue }
///     }
/// }
/// ```
///
/// In a module whose default isolation is the main actor, mark both declarations `nonisolated`, or
/// only the main actor can read the value.
///
/// ``Value`` need not be `Sendable`, for the sake of older keys. The value of a key is nevertheless
/// seen by every thread that asks, so let it be `Sendable` or guard its state yourself.
public protocol SpaceKey {
    /// The type of the value that this key names.
    associatedtype Value

    /// The value where nobody has set one.
    ///
    /// It is read once in the life of the process, at the first read of the key that finds no other
    /// value, and kept. It is made outside any override, so what it reads from the space are the
    /// process-wide values, and outside any lock. Where several threads come first at the same
    /// moment each may make one; all of them get the one stored first. It must not read its own
    /// key.
    static var defaultValue: Value { get }
}
