/// Reads a value of the space, named by its key path.
///
/// ```swift
/// struct Banner {
///     @Space(\.theme) private var theme
///
///     var text: String { "Hello in \(theme)" }
/// }
/// ```
///
/// Unlike SwiftUI's `Environment`, it follows the running code and not a tree of views. Each access reads
/// the values in force for its task. So a property made outside `withSpace` sees the override when you read
/// it inside, and the other way around.
///
/// A static property with a wrapper needs a global actor in Swift 6 mode:
///
/// ```swift
/// @MainActor
/// enum Main {
///     @Space(\.theme) private static var theme
/// }
/// ```
///
/// Safe from any thread; `Sendable` when `Value` is.
@propertyWrapper
@frozen
public struct Space<Value> {
    // A key path does not change, and is only read. The plain `KeyPath` in place of `KeyPath & Sendable` keeps Swift 5
    // mode silent.
    @usableFromInline nonisolated(unsafe) let keyPath: KeyPath<SpaceValues, Value>

    /// Makes a property that reads a value.
    ///
    /// ```swift
    /// @Space(\.theme) var theme
    /// ```
    ///
    /// - Parameter keyPath: The property of ``SpaceValues`` to read at each access.
    @inlinable
    public init(_ keyPath: KeyPath<SpaceValues, Value>) {
        self.keyPath = keyPath
    }

    /// The value in force for the running code.
    @inlinable public var wrappedValue: Value {
        SpaceValues.current[keyPath: keyPath]
    }
}

extension Space: Sendable where Value: Sendable {}
