/// What the shared services of a small world need, and what the workers ask for.
struct LedgerProgram: CustomStringConvertible {
    struct Service: Hashable {
        /// Needed by the factory, in this order.
        var factory: [Int] = []
        /// Needed by `initCompleted`.
        var completion: [Int] = []
        /// The factory throws after it has got what it needs.
        var fails = false
    }

    var services: [Service]
    /// For each worker the services that it asks for, one after the other.
    var workers: [[Int]]
    /// How often the first service is reset, at any time.
    var resets = 0

    var description: String {
        let services = services.enumerated().map { index, service in
            "\(index): \(service.factory) then \(service.completion)\(service.fails ? " fails" : "")"
        }
        return "services {\(services.joined(separator: "; "))} workers \(workers) resets \(resets)"
    }
}
