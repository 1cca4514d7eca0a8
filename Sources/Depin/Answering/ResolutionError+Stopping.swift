extension ResolutionError {
    /// Adds a handler that receives an error that is about to stop the program.
    ///
    /// ```swift
    /// ResolutionError.beforeStopping { error in
    ///     crashReporter.record("\(error)")
    /// }
    /// ```
    ///
    /// `~>`, `autoResolve`, `@Injected` and the like stop the program where they cannot get a service. Every
    /// handler then receives the error, with its whole message, once, on the thread that stops, in the order
    /// in which you added them. Standard error has the message by then, so nothing that a handler does can
    /// hide it: if it requests something and fails, the program stops with both messages, and if it does not
    /// return within five seconds, the program stops without it.
    ///
    /// Add a handler early, at launch. It may be called on any thread, and in the middle of a factory, so it
    /// should need little: a file or a crash reporter that is ready, rather than a service. An error that is
    /// thrown, and a validation, call no handler.
    public static func beforeStopping(_ handler: @escaping @Sendable (ResolutionError) -> Void) {
        Stopping.state.withLock { $0.handlers.append(handler) }
    }
}

/// The end of the program, and the handlers that hear of it first.
private enum Stopping {
    /// The handlers, and the last words, once something stops the program.
    static let state = Guarded(
        (handlers: [@Sendable (ResolutionError) -> Void](), last: LastWords?.none)
    )
    /// How long handlers may take, since nothing else may keep the program from its end.
    static let seconds: UInt32 = 5

    /// The message with which the program stops, and the thread that does it.
    struct LastWords: Sendable {
        let message: String
        let place: CodePlace?
        let thread: UInt

        func say() -> Never {
            place?.stop(message)
            fatalError(message + RunningTests.lastLine)
        }
    }
}

/// Stops the program with a message at the place of the request, after the handlers.
@_optimize(size)
func stop(
    for error: any Error,
    _ message: String,
    at place: CodePlace?,
    _ resolution: Resolution
) -> Never {
    let words = Stopping.LastWords(message: message, place: place, thread: resolution.number)
    let (handlers, last) = Stopping.state.withLock { state in
        defer { if state.last == nil { state.last = words } }
        return (state.handlers.copied, state.last)
    }
    guard !handlers.isEmpty, let error = error as? ResolutionError else { words.say() }
    if let last, last.thread == words.thread {
        // A handler has requested something that failed.
        let both = "\(last.message)\n  and a handler of beforeStopping failed: \(message)"
        Stopping.LastWords(message: both, place: last.place, thread: last.thread).say()
    }
    // The handlers may hang, and this is the last chance to print it.
    printToStandardError(message)
    // Another thread is stopping the program, or waits in a handler for this one.
    if last != nil { CurrentThread.park() }
    startTimer(seconds: Stopping.seconds) { words.say() }
    for handler in handlers { handler(error) }
    words.say()
}
