/// What the shared services of a small world need, and what the workers ask for.
struct BuildProgram: CustomStringConvertible {
    struct Service: Hashable {
        /// Needed by the factory: in this order, or all at once by one that is asynchronous.
        var factory: [Int] = []
        /// Needed by `initCompleted`.
        var completion: [Int] = []
        /// The factory throws after it has got what it needs.
        var fails = false
        /// Only a task, and the factory of another such service, may have it built.
        var isAsync = false
        /// A storage keeps the instance, and asks for these when it is looked into.
        var isStored = false
        var visits: [Int] = []
        /// The factory runs in the turn of the hierarchy.
        var isSerialized = false
        /// The slot holds the instance weakly.
        var isWeak = false
    }

    var services: [Service]
    /// For each worker the services that it asks for, one after the other.
    var workers: [[Int]]
    /// How often the first service is reset, at any time.
    var resets = 0
    /// How many of the workers, the first ones, are tasks.
    var tasks = 0
    /// How many tasks are canceled, at any time.
    var cancellations = 0
    /// How often an instance goes that is held weakly.
    var deaths = 0

    /// The same for programs that differ only in numbers of services, in the order of workers, or in what
    /// nobody comes to need: they have the same orders of steps.
    var essence: String {
        precondition(
            tasks == 0 && resets == 0 && deaths == 0,
            "a worker or a service is not like the others"
        )
        return Self.orders(of: workers).map { renumbered(for: $0).description }.min() ?? ""
    }

    /// The program with its services in the order in which the workers come to them.
    private func renumbered(for workers: [[Int]]) -> BuildProgram {
        var found: [Int] = []
        var ahead = Array(workers.joined())
        while !ahead.isEmpty {
            let service = ahead.removeFirst()
            if found.contains(service) { continue }
            found.append(service)
            ahead += services[service].factory + services[service].completion
        }
        func numbers(_ needs: [Int]) -> [Int] { needs.compactMap(found.firstIndex(of:)) }
        return BuildProgram(
            services: found.map { number in
                var service = services[number]
                service.factory = numbers(service.factory)
                service.completion = numbers(service.completion)
                return service
            },
            workers: workers.map(numbers)
        )
    }

    private static func orders(of workers: [[Int]]) -> [[[Int]]] {
        if workers.isEmpty { return [[]] }
        return workers.indices.flatMap { first in
            var others = workers
            let worker = others.remove(at: first)
            return orders(of: others).map { [worker] + $0 }
        }
    }

    var description: String {
        let services = services.enumerated().map { index, service in
            "\(index): \(service.factory) then \(service.completion)"
                + (service.fails ? " fails" : "") + (service.isAsync ? " async" : "")
                + (service.isStored ? " stored, visits \(service.visits)" : "")
                + (service.isSerialized ? " serialized" : "") + (service.isWeak ? " weak" : "")
        }
        return "services {\(services.joined(separator: "; "))} workers \(workers)"
            + " tasks \(tasks) resets \(resets) cancellations \(cancellations) deaths \(deaths)"
    }
}
