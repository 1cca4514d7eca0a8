import Depin
import Testing

extension Trait where Self == SpaceTrait {
    /// Opens a scope for each test case, and closes it after the case.
    ///
    /// ```swift
    /// @Suite(
    ///     .assemblies { AppAssembly() },
    ///     .opening(.request) { $0.register(User.self, instance: ada) }
    /// )
    /// struct HandlerTests { … }
    /// ```
    ///
    /// The scope is opened on the container in force, and is in force in the test. It closes even if the test
    /// throws; an error that a closer throws fails the test, and closers that take an outcome hear whether
    /// the test threw.
    ///
    /// - Parameters:
    ///   - scope: A scope that opens and closes.
    ///   - file: The file that messages about the scope show.
    ///   - line: The line that they show.
    ///   - seeding: Registers what only the scope knows. It runs for each case.
    /// - Returns: The trait.
    public static func opening(
        _ scope: ObjectScope,
        file: StaticString = #fileID,
        line: UInt = #line,
        seeding: @escaping @MainActor @Sendable (Container) throws -> Void = { _ in }
    ) -> SpaceTrait {
        // Services whose types are isolated to the main actor can only be made there.
        SpaceTrait { @MainActor _, function in
            var failure: (any Error)?
            try await SpaceValues.current.dependenciesContainer.withScope(
                scope,
                seeding: { opened in
                    do { try seeding(opened) } catch { failure = error }
                },
                file: file,
                line: line,
                operation: { _ in
                    if let failure { throw failure }
                    try await withSpace {
                        $0[ReplacingKey.self] = true
                    } operation: {
                        try await function()
                    }
                }
            )
        }
    }

    /// Warms up the container in force before each test case.
    ///
    /// ```swift
    /// @Suite(.assemblies { AppAssembly() }, .warmedUp)
    /// struct SearchTests { … }
    /// ```
    ///
    /// Services marked `.eager()` are made as at the launch of the app, including asynchronous ones, so that
    /// synchronous code of the test has them. If one fails, the test fails with its error and does not run.
    public static var warmedUp: SpaceTrait {
        SpaceTrait { _, function in
            _ = try await SpaceValues.current.dependenciesContainer.warmUp()
            try await function()
        }
    }
}
