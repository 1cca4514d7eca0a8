/// A request that may take time: what a ``ServiceRequest`` lends, held.
struct AsyncRequest: Sendable {
    var key: ServiceKey
    let arguments: Arguments?
    var asked: Core
    var owner: CoreOwner?
    var watchers: [any Watcher]?
    /// The instance that asks, where needs are noted.
    var needer: Needer?
    /// True once the factory of what is requested was about to run.
    var isMade = false

    init(_ key: ServiceKey, _ arguments: Arguments? = nil, to asked: Core, _ owner: CoreOwner?) {
        self.key = key
        self.arguments = arguments
        self.asked = asked
        self.owner = owner
    }

    /// The same request for another type.
    func with(_ serviceType: Any.Type) -> AsyncRequest {
        AsyncRequest(key.with(serviceType), arguments, to: asked, owner)
    }

    /// The request for a part that is not suspended, of which this one holds what it names.
    var plain: ServiceRequest {
        var request = ServiceRequest(key, arguments, to: asked, owner)
        (request.watchers, request.isMade, request.isNeeded) = (watchers, isMade, true)
        return request
    }
}
