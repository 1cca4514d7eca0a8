/// A storage that was used in a graph, and is told when that ends.
final class KeptGate {
    private let gate: StorageGate
    private let keeper: any RegistrationSink

    init(_ gate: StorageGate, _ keeper: any RegistrationSink) {
        self.gate = gate
        self.keeper = keeper
    }

    func complete() {
        func complete(_ keeper: some GateKeeper) {
            // What cannot wait for the storage without a deadlock does not tell it.
            try? gate.enter(keeper) { $0.graphResolutionCompleted() }
        }
        complete(keeper)
    }
}
