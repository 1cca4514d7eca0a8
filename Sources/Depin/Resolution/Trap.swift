/// Stops the program with the error's message, at the line of the user's code that asked, or this thread
/// alone, where a validation's product asks.
///
/// What a validation has made is not the program, and must not end it, however late it asks. The main
/// thread, who validated, and the last thread on which tasks run are not left behind: the program would
/// hang.
func trap(_ error: any Error, _ path: Path, asking asked: Core? = nil) -> Never {
    let cores = [asked].compactMap(\.self) + path.steps.reversed().map(\.asked)
    for core in cores {
        for watcher in core.watchers { watcher.willStop(for: error, path) }
    }
    let validators = cores.flatMap(\.validators)
    let runner = Runner(path)
    let isProgram = validators.isEmpty || validators.contains(runner) || CurrentThread.isMain
    if !isProgram, runner.giveUpThread() {
        printToStandardError(
            "Depin: \(error)\n  What a validation has made asks for it: this thread is left behind."
        )
        path.giveUp()
        OwnThread.park()
    }
    guard let error = error as? ResolutionError, let place = error.askedAt else {
        let asker = "outside any factory, on \(CurrentThread.words)"
        let message = (error as? ResolutionError)?.message(askedBy: asker) ?? "\(error)"
        fatalError("Depin: \(message)")
    }
    place.stop("Depin: \(error)")
}

extension Core {
    /// Who has validated this container, or one that it was made from.
    fileprivate var validators: [Runner] {
        chain.flatMap { $0.originals + [$0] }.compactMap { core in
            core.isForValidation ? core.state.withLock { $0.validator } : nil
        }
    }
}
