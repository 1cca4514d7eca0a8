import Depin
import Testing

extension Trait where Self == SpaceTrait {
    /// Gives each test case a value of the space.
    ///
    /// ```swift
    /// @Test(.space(\.theme, "dark"))
    /// func `is readable in the dark`() {
    ///     #expect(Banner().text == "Hello in dark")
    /// }
    ///
    /// @Test(.space(\.dependenciesAssembler, Assembler([FakeFeedAssembly()])))
    /// func `shows the feed`() { … }
    /// ```
    ///
    /// The expression is evaluated again for each case, so an object in it is never shared. It may `try`.
    /// If it must `await`, use ``Testing/Trait/space(_:)``.
    ///
    /// Writing through a key path can read the property first, and so make the key's default. If it must
    /// not be made, use ``Testing/Trait/space(_:)``.
    ///
    /// - Parameters:
    ///   - keyPath: The property of `SpaceValues` to override.
    ///   - value: Makes the value that the test sees.
    /// - Returns: The trait.
    public static func space<Value>(
        _ keyPath: WritableKeyPath<SpaceValues, Value>,
        _ value: @autoclosure @escaping @MainActor @Sendable () throws -> Value
    ) -> SpaceTrait {
        // A key path does not change. If it were typed `& Sendable`, Swift 5 mode would warn.
        nonisolated(unsafe) let keyPath = keyPath
        return .space { $0[keyPath: keyPath] = try value() }
    }

    /// Gives each test case several values of the space.
    ///
    /// ```swift
    /// @Suite(
    ///     .space {
    ///         $0.theme = "dark"
    ///         $0.language = "fr"
    ///     }
    /// )
    /// struct BannerTests { … }
    /// ```
    ///
    /// - Parameter update: Sets the values that the test sees. It runs for each case, starts with the
    ///   values in force, and may `await` and `try`.
    /// - Returns: The trait.
    public static func space(
        _ update: @escaping @MainActor @Sendable (inout SpaceValues) async throws -> Void
    ) -> SpaceTrait {
        SpaceTrait { _, function in
            var values = SpaceValues.current
            try await update(&values)
            try await withSpace(values) { try await function() }
        }
    }
}
