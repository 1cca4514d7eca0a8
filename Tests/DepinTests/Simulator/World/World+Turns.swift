import Depin
import Foundation

/// Of those who ask through a serialized view of the app only one runs a factory at a time.
extension World {
    /// Whether a request takes the turn of the app's serialized views; forks have turns of their own.
    func takesTurn(_ request: Program.Request, of container: Container) -> Bool {
        request.isSerialized && !ErrandMark.isSet && !containers.isFork(container)
    }

    func inTurn<Result>(_ takesTurn: Bool, _ body: () throws -> Result) rethrows -> Result {
        guard takesTurn else { return try body() }
        return try TurnMark.$isSet.withValue(true, operation: body)
    }

    func inTurn<Result>(
        _ takesTurn: Bool,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard takesTurn else { return try await body() }
        return try await TurnMark.$isSet.withValue(true, operation: body)
    }

    /// A factory lets others go first.
    func pause(_ recipe: Program.Recipe) {
        beginPause()
        for _ in 0..<recipe.pauses { sched_yield() }
        endPause()
    }

    func pauseAsync(_ recipe: Program.Recipe) async {
        beginPause()
        for _ in 0..<recipe.pauses { await Task.yield() }
        endPause()
    }

    private func beginPause() {
        guard TurnMark.isSet else { return }
        let count = pausingInTurn.change { count in
            count += 1
            return count
        }
        if count > 1, judgesTurns {
            history.fail("two factories of a serialized view run at once")
        }
    }

    private func endPause() {
        if TurnMark.isSet { pausingInTurn.change { $0 -= 1 } }
    }
}

extension Container {
    /// The resolver for a request.
    func view(for request: Program.Request) -> any Resolver {
        if request.isSerialized { return synchronize(serializingFactories: true) }
        return request.way == .view ? synchronize() : self
    }
}

/// Says that the app's turn has been asked for; what closes, ends or is left running does not have it.
enum TurnMark {
    @TaskLocal static var isSet = false
}
