/// Stops the program with the error's message, at the line of the user's code that made the request; or abandons this
/// thread alone, if an instance that a validation made has made the request.
///
/// Such an instance is not the program, and must not end it, however late it makes requests. The main thread, the
/// validating thread, and the last thread on which tasks run are not abandoned, since the program would hang.
@_optimize(size)
func trap(_ error: any Error, _ resolution: Resolution, asking asked: Engine? = nil) -> Never {
    let engines = [asked].compactMap(\.self) + resolution.path.steps.map { $0.pointee.engine }
    var isExpected = false
    for observer in engines.flatMap(\.observers) {
        isExpected = observer.willStop(for: error, resolution) || isExpected
    }
    let validators = engines.flatMap(\.validators)
    let caller = ThreadOrTask(resolution)
    let isProgram = validators.isEmpty || validators.contains(caller) || CurrentThread.isMain
    if !isProgram, caller.giveUpThread() {
        if !isExpected {
            printToStandardError(
                "Depin: \(error)\n  An object that a validation made requested it: this thread is abandoned."
            )
        }
        resolution.giveUp()
        CurrentThread.park()
    }
    let place = (error as? ResolutionError)?.askedAt
    let asker = place == nil ? "outside any factory, on \(CurrentThread.words)" : nil
    let message = (error as? ResolutionError)?.message(askedBy: asker) ?? "\(error)"
    stop(for: error, "Depin: \(message)", at: place, resolution)
}

/// The thread or task that validates a fork, or has.
private final class Validator: EngineAddition {
    override var lifetime: Lifetime { .engine }

    var caller: ThreadOrTask?
}

extension Engine {
    /// The thread or task that validates this fork, or has.
    var validator: ThreadOrTask? {
        get { state.withLock { $0.additions.find(Validator.self)?.caller } }
        set { state.withLock { $0.additions.made(Validator.self).caller = newValue } }
    }

    /// The threads and tasks that have validated this container, or one that it was forked from.
    fileprivate var validators: [ThreadOrTask] {
        chain.flatMap { $0.originals + [$0] }.compactMap(\.validator)
    }
}
