import Depin

/// The names of this app's event emitters; a name's text is the raw value of its case.
nonisolated enum FeedBus: String, ServiceName {
    case refresh, logout
}

// The shorthand an app writes once for its names, so that `.refresh` says all.

nonisolated extension Injected {
    // @Injected(.refresh) var refresh: EventEmitter<Void>
    //
    // The file and line let messages show the property instead of this extension.
    convenience init(_ name: FeedBus, file: StaticString = #fileID, line: UInt = #line) {
        self.init(name as ServiceName, file: file, line: line)
    }
}

nonisolated extension Container {
    // container.register(EventEmitter<Void>.self, name: .refresh) { r in … }
    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: FeedBus,
        factory: @escaping @Sendable (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name as ServiceName, factory: factory)
    }

    // container.register(EventEmitter<Void>.self, name: .refresh) { … }
    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: FeedBus,
        factory: @escaping @Sendable () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name as ServiceName, factory: factory)
    }
}
