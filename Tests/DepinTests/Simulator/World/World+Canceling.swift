import Depin

extension World {
    /// Does something in a task that is canceled while a factory is under way: in the setup the first one, and in lanes
    /// whichever is.
    func canceling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> (result: Result<Value, any Error>, isCanceled: Bool) {
        // Not the task's own, which would hold it for some time.
        let result = Cell<Result<Value, any Error>?>(nil)
        let gate = isInLanes.value ? nil : BuildGate()
        self.gate.change { $0 = gate }
        let task = Task {
            let outcome = await CancelMark.$isSet.withValue(true) { await Self.outcome(body) }
            result.change { $0 = outcome }
        }
        var isUnderWay = true
        if let gate {
            isUnderWay = await gate.untilArrival { result.value != nil }
            self.gate.change { $0 = nil }
        } else {
            for _ in 0..<10 { await Task.yield() }
        }
        if isUnderWay { task.cancel() }
        gate?.open()
        await task.value
        return (result.replace(by: nil) ?? .failure(CancellationError()), isUnderWay)
    }

    private static func outcome<Value>(
        _ body: () async throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

/// Says that the task is going to be canceled.
enum CancelMark {
    @TaskLocal static var isSet = false
}
