/// Runs `operation` with one value of the space overridden.
///
/// ```swift
/// withSpace(\.theme, "dark") {
///     print(Banner().text)  // Hello in dark
/// }
/// ```
///
/// The override follows the task, as a task-local value of SE-0311 does. Child tasks, task groups, `async
/// let` and `Task { }` started inside inherit it; detached tasks, threads and Dispatch queues do not (see
/// ``SpaceValues/current``). Calls nest, and the inner one wins. The previous values are back when the call
/// returns or throws. You can ignore the result.
///
/// Writing through a key path can read the property first, and so make the key's default. If that default
/// must never be made, for example because it is live, use the form that takes a closure.
///
/// Safe from any thread.
///
/// - Parameters:
///   - keyPath: The property of ``SpaceValues`` to override.
///   - value: The value that `operation` sees.
///   - operation: What to run.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Value, Result>(
    _ keyPath: WritableKeyPath<SpaceValues, Value>,
    _ value: Value,
    operation: () throws -> Result
) rethrows -> Result {
    try withSpace({ $0[keyPath: keyPath] = value }, operation: operation)
}

/// Runs an asynchronous `operation` with one value of the space overridden.
///
/// ```swift
/// await withSpace(\.theme, "dark") {
///     await screen.render()
/// }
/// ```
///
/// This does the same as the synchronous form. `operation` runs on the caller's actor, and neither it nor
/// its result needs to be `Sendable`. The previous values are back when the call returns, throws or is
/// canceled.
///
/// - Parameters:
///   - keyPath: The property of ``SpaceValues`` to override.
///   - value: The value that `operation` sees.
///   - isolation: The actor to run on, the caller's unless another is given.
///   - operation: What to run.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Value, Result>(
    _ keyPath: WritableKeyPath<SpaceValues, Value>,
    _ value: Value,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
) async rethrows -> Result {
    try await withSpace(
        { $0[keyPath: keyPath] = value },
        isolation: isolation,
        operation: operation
    )
}

/// Runs `operation` with several values of the space overridden.
///
/// ```swift
/// withSpace {
///     $0.theme = "dark"
///     $0.language = "fr"
/// } operation: {
///     print(Banner().text)
/// }
/// ```
///
/// `update` starts with the values in force and runs under them. The new values are in force in
/// `operation`. Everything else is as in the form that takes a key path.
///
/// - Parameters:
///   - update: Sets the values that `operation` sees.
///   - operation: What to run.
/// - Returns: What `operation` returns.
/// - Throws: What `update` or `operation` throws. If `update` throws, `operation` does not run.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Result>(
    _ update: (inout SpaceValues) throws -> Void,
    operation: () throws -> Result
) rethrows -> Result {
    var values = SpaceValues.current
    try update(&values)
    return try SpaceOverlay.taskOverlay.withValue(values.overlay, operation: operation)
}

/// Runs an asynchronous `operation` with several values of the space overridden.
///
/// ```swift
/// await withSpace {
///     $0.theme = "dark"
///     $0.language = "fr"
/// } operation: {
///     await screen.render()
/// }
/// ```
///
/// `update` is synchronous, starts with the values in force and runs under them. The new values are in
/// force in `operation`, which runs on the caller's actor.
///
/// - Parameters:
///   - update: Sets the values that `operation` sees.
///   - isolation: The actor to run on, the caller's unless another is given.
///   - operation: What to run.
/// - Returns: What `operation` returns.
/// - Throws: What `update` or `operation` throws. If `update` throws, `operation` does not run.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Result>(
    _ update: (inout SpaceValues) throws -> Void,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
) async rethrows -> Result {
    var values = SpaceValues.current
    try update(&values)
    return try await SpaceOverlay.taskOverlay.withValue(values.overlay, operation: operation)
}

/// Runs `operation` under captured values.
///
/// Use it to pass overrides to code that does not inherit task-local values:
///
/// ```swift
/// let captured = SpaceValues.current
/// queue.async {
///     withSpace(captured) { render() }
/// }
/// ```
///
/// The captured overrides replace those in force instead of adding to them. A key that was not overridden
/// at the capture has its process-wide value inside.
///
/// - Parameters:
///   - values: The values that `operation` sees, from ``SpaceValues/current``.
///   - operation: What to run.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Result>(
    _ values: SpaceValues,
    operation: () throws -> Result
) rethrows -> Result {
    try SpaceOverlay.taskOverlay.withValue(values.overlay, operation: operation)
}

/// Runs an asynchronous `operation` under captured values.
///
/// ```swift
/// let captured = SpaceValues.current
/// Task.detached {
///     await withSpace(captured) { await screen.render() }
/// }
/// ```
///
/// The captured overrides replace those in force. `operation` runs on the caller's actor.
///
/// - Parameters:
///   - values: The values that `operation` sees, from ``SpaceValues/current``.
///   - isolation: The actor to run on, the caller's unless another is given.
///   - operation: What to run.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
@discardableResult
@_alwaysEmitIntoClient
public func withSpace<Result>(
    _ values: SpaceValues,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
) async rethrows -> Result {
    try await SpaceOverlay.taskOverlay.withValue(values.overlay, operation: operation)
}
