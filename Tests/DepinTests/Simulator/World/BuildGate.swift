import Foundation

/// Where a factory stops until it is let go.
final class BuildGate: Sendable {
    private let hasArrived = Cell(false)
    private let isOpen = Cell(false)

    func open() { isOpen.change { $0 = true } }

    func stop() {
        hasArrived.change { $0 = true }
        while !isOpen.value { Thread.sleep(forTimeInterval: 0.0002) }
    }

    func stopAsync() async {
        hasArrived.change { $0 = true }
        while !isOpen.value { try? await Task.sleep(for: .microseconds(200)) }
    }

    /// Returns once a factory has stopped here, or there is none that would.
    func untilArrival(orWhen hasEnded: () -> Bool) async -> Bool {
        while !hasArrived.value {
            if hasEnded() { return false }
            try? await Task.sleep(for: .microseconds(200))
        }
        return true
    }
}
