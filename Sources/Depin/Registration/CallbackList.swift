/// The callbacks of an entry, the last one first.
final class CallbackList<Service> {
    private let callback: (any Resolver, Service) -> Void
    private let earlier: CallbackList?
    let count: Int

    init(_ callback: @escaping (any Resolver, Service) -> Void, after earlier: CallbackList?) {
        self.callback = callback
        self.earlier = earlier
        count = (earlier?.count ?? 0) + 1
    }

    /// Runs the callbacks in the order in which they were added.
    func run(_ resolver: any Resolver, _ service: Service) {
        earlier?.run(resolver, service)
        callback(resolver, service)
    }
}
