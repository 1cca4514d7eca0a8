/// Replaces single services during an operation.
///
/// ```swift
/// withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) {
///     FeedScreen().refresh()
/// }
/// ```
///
/// The closure registers on a fork of the container in force. The fork has the same registrations and
/// nothing built, and nothing that it builds reaches the original. A registration replaces the one with its
/// key in the container or the parent that has it, so a parent's shared services get the replacement, too.
/// What the operation registers stands where it is registered, as anywhere.
/// This works in any test framework, including XCTest:
///
/// ```swift
/// override func invokeTest() {
///     withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) { super.invokeTest() }
/// }
/// ```
///
/// The closure runs with the fork in force, so `@Injected` properties of the objects it makes resolve from
/// the fork.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Result>(
    overriding register: (Container) throws -> Void,
    operation: () throws -> Result
) rethrows -> Result {
    try withSpace(.overriding(register), operation: operation)
}

/// Replaces single services during an asynchronous operation and its child tasks.
///
/// ```swift
/// await withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) {
///     await FeedScreen().refresh()
/// }
/// ```
///
/// `operation` runs on the caller's actor; everything else is as in the synchronous form.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Result>(
    overriding register: (Container) throws -> Void,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
) async rethrows -> Result {
    try await withSpace(.overriding(register), isolation: isolation, operation: operation)
}

extension SpaceValues {
    /// The values in force, with a fork of the container on which single services are replaced.
    @usableFromInline
    package static func overriding(_ register: (Container) throws -> Void) rethrows -> SpaceValues {
        var values = SpaceValues.current
        let fork = values.dependenciesContainer.fork()
        values.dependenciesContainer = fork
        // `@Injected` properties of what the closure makes are to ask the fork.
        try withSpace(values) { try fork.engine.replacing { try register(fork) } }
        return values
    }
}
