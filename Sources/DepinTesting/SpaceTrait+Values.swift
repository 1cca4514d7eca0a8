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
    ///   values in force, and may `await` and `try`. If it sets an assembler or container, other than a child or a
    ///   fork of the one in force, after `.overriding`, `.forbidding` or `.opening`, it drops what they did, and a
    ///   warning says so.
    /// - Returns: The trait.
    public static func space(
        _ update: @escaping @MainActor @Sendable (inout SpaceValues) async throws -> Void
    ) -> SpaceTrait {
        SpaceTrait { test, function in
            let outer = SpaceValues.current
            var values = outer
            try await update(&values)
            if values[ReplacingKey.self], drops(values, outer) {
                let comment = Comment.dropping("an assembler or container of `.space`", "`.space`")
                Issue.record(comment, severity: .warning, sourceLocation: test.sourceLocation)
                values[ReplacingKey.self] = false
            }
            try await withSpace(values) { try await function() }
        }
    }
}

/// True if the container of some values lacks registrations of the container further out.
///
/// A child has all of them, and so has a fork.
private func drops(_ values: SpaceValues, _ outer: SpaceValues) -> Bool {
    let kept = Set(values.dependenciesContainer.observable.map(\.number))
    return !kept.isSuperset(of: outer.dependenciesContainer.observable.map(\.number))
}
