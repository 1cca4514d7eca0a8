/// A key of the space, which names one value that any code can read and a test can replace.
///
/// Conform an enum without cases, and give ``SpaceValues`` a property for the value, as with SwiftUI's
/// `EnvironmentKey`:
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
/// For the sake of older keys, ``Value`` need not be `Sendable`. But every thread can read the value, so
/// make it `Sendable` or guard its state yourself.
public protocol SpaceKey {
    /// The type of the value that this key names.
    associatedtype Value

    /// The value where nobody has set one.
    ///
    /// It is read at each access for as long as no value is set, as in SwiftUI. So store what must be
    /// one instance, and compute what is to be new each time:
    ///
    /// ```swift
    /// static let defaultValue = Cache()        // one for the process
    /// static var defaultValue: Date { Date() }  // the time of the access
    /// ```
    ///
    /// It is read outside any lock and outside any override: what it reads from the space itself are
    /// the process-wide values, and an `@Injected` in what it makes asks those. It must not read its
    /// own key.
    static var defaultValue: Value { get }
}
