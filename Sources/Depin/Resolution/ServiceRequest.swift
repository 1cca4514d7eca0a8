/// A request for a service in all its parts.
///
/// PERF: it is lent and never copied, which would retain the most of it at each step (row 4g).
struct ServiceRequest: ~Copyable {
    var key: ServiceKey
    var arguments: Arguments?
    // PERF: lent by whoever makes the request: retaining them took 80 of the instructions of row 3.

    /// The container that is to answer.
    unowned(unsafe) var asked: Core
    /// Keeps that container open; nil where the request must not: see ``CoreOwner``.
    unowned(unsafe) var owner: CoreOwner?
    /// The place of the `@Injected` property that makes the request.
    var injectedAt: CodePlace?
    /// True where a graph begins although a resolution is under way: for `@Injected` and `Provider`.
    var beginsGraph = false
    /// True where nil is no answer, so that a collection to which nobody contributes is empty.
    var isNeeded = false
    /// Those who watch the container, once they have heard of the request.
    var watchers: [any Watcher]?
    /// True once the factory of what is requested was about to run.
    var isMade = false

    init(_ key: ServiceKey, _ arguments: Arguments?, to asked: Core, _ owner: CoreOwner?) {
        self.key = key
        self.arguments = arguments
        self.asked = asked
        self.owner = owner
    }

    /// The same request for another type.
    func with(_ serviceType: Any.Type) -> ServiceRequest {
        with(key.with(serviceType), beginsGraph: beginsGraph)
    }

    /// The same request for another key, of which nobody has heard.
    func with(_ key: ServiceKey, beginsGraph: Bool) -> ServiceRequest {
        var request = ServiceRequest(key, arguments, to: asked, owner)
        request.injectedAt = injectedAt
        request.beginsGraph = beginsGraph
        request.isNeeded = isNeeded
        request.isMade = isMade
        return request
    }

    var forError: ResolutionError.Request {
        ResolutionError.Request(key, injectedAt: injectedAt)
    }
}
