/// What the shared services of a small world need, and what the workers ask for.
struct LedgerProgram: CustomStringConvertible {
    struct Service: Hashable {
        /// Needed by the factory: in this order, or all at once by one that is asynchronous.
        var factory: [Int] = []
        /// Needed by `initCompleted`.
        var completion: [Int] = []
        /// The factory throws after it has got what it needs.
        var fails = false
        /// Only a task, and the factory of another such service, may have it built.
        var isAsync = false
    }

    var services: [Service]
    /// For each worker the services that it asks for, one after the other.
    var workers: [[Int]]
    /// How often the first service is reset, at any time.
    var resets = 0
    /// How many of the workers, the first ones, are tasks.
    var tasks = 0
    /// How many tasks are cancelled, at any time.
    var cancellations = 0

    var description: String {
        let services = services.enumerated().map { index, service in
            "\(index): \(service.factory) then \(service.completion)"
                + (service.fails ? " fails" : "") + (service.isAsync ? " async" : "")
        }
        return "services {\(services.joined(separator: "; "))} workers \(workers)"
            + " tasks \(tasks) resets \(resets) cancellations \(cancellations)"
    }
}
