import Depin

/// Hands values to a thread, in order.
final class Mailbox<Value: Sendable>: Sendable {
    private let values = Guarded<[Value]>([])
    private let isFilled = Condition()

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        isFilled.signal()
    }

    /// Waits for the next value.
    func take() -> Value {
        var taken: Value?
        values.withLock(waitingFor: isFilled) { values in
            taken = values.isEmpty ? nil : values.removeFirst()
            return taken != nil
        }
        guard let taken else { preconditionFailure("woken by nothing") }
        return taken
    }
}
