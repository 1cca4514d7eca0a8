import Depin
import Foundation

extension World {
    /// Closes a container while a factory is under way that the request has begun.
    func close(
        _ container: Container,
        during request: Program.Request
    ) async -> Result<Item, any Error> {
        let (gate, result) = (BuildGate(), Cell<Result<Item, any Error>?>(nil))
        self.gate.change { $0 = gate }
        let asking = Task.detached { [self] in
            let outcome = await outcome(of: request, container)
            result.change { $0 = outcome }
        }
        let isUnderWay = await gate.untilArrival { result.value != nil }
        self.gate.change { $0 = nil }
        if isUnderWay, program.hasWeak, !closingWaits.value {
            // What closes may have held what the factory asks for, and then nobody says whether that is there still.
            gate.open()
            await asking.value
        }
        let hasClosed = Cell(false)
        let closing = Task.detached { [history] in
            do {
                try await container.close()
            } catch {
                history.fail("it does not close: \(error)")
            }
            hasClosed.change { $0 = true }
        }
        if isUnderWay {
            // Long enough for a closing that does not wait.
            try? await Task.sleep(for: .milliseconds(3))
            if hasClosed.value, closingWaits.value {
                history.fail("it has closed while a factory is under way")
            }
        }
        gate.open()
        await asking.value
        await closing.value
        return result.replace(by: nil) ?? .failure(CancellationError())
    }

    private func outcome(
        of request: Program.Request,
        _ container: Container
    ) async -> Result<Item, any Error> {
        do {
            return .success(try await resolve(request, container))
        } catch {
            return .failure(error)
        }
    }

    /// Resolves in a task.
    func resolve(_ request: Program.Request, _ container: Container) async throws -> Item {
        try await inSpace(of: container) {
            try await inTurn(takesTurn(request, of: container)) {
                let view = container.view(for: request)
                if request.way.isAsync { return try await view.askAsync(request) }
                return try view.ask(request)
            }
        }
    }

    func inSpace<Result>(
        of container: Container,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await withSpace(\.dependenciesContainer, container) {
            try await SpaceMark.$isSet.withValue(true) { try await body() }
        }
    }
}
