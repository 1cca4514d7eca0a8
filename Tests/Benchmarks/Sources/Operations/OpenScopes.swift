import Depin
import Dispatch

extension ObjectScope {
    fileprivate static let request = ObjectScope(opened: "request")
}

extension Fixture {
    /// A thousand services, and a graph of ten whose instances belong to a request.
    fileprivate static let requests = requests(isClosed: false)

    /// The same in an app that closes what it shares, and nothing of a request.
    fileprivate static let appThatCloses = {
        let container = requests(isClosed: false)
        container.register(AppClosed.self) { AppClosed() }.inObjectScope(.container)
            .onClose { sink($0) }
        sink(container ~> AppClosed.self)
        return container
    }()

    /// The same, and each of the ten is closed.
    fileprivate static let closed = requests(isClosed: true)

    private static func requests(isClosed: Bool) -> Container {
        let container = Container.with(thousand)
        container.registerGraph(in: .request)
        if isClosed {
            container.register((any Root).self) { resolver in
                LiveRoot(
                    left: resolver ~> (any Left).self,
                    middle: resolver ~> (any Middle).self,
                    right: resolver ~> (any Right).self
                )
            }
            .inObjectScope(.request).overriding().onClose { sink($0) }
        }
        return container
    }
}

private final class AppClosed: Sendable {}

extension Row {
    static let scopes = [
        Row("15", "open a scope and close it", .l, goal: 19.5) { count in
            inTask { await openScopes(count, of: Fixture.requests) { _ in } }
        },
        Row("15-ten", "open a scope, make ten services in it, close", .p, goal: 16.5) { count in
            inTask { await openScopes(count, of: Fixture.requests) { sink(resolveGraph($0)) } }
        },
        Row("15-app", "the same in an app that closes something", .p, goal: 17.7) { count in
            inTask { await openScopes(count, of: Fixture.appThatCloses) { sink(resolveGraph($0)) } }
        },
        Row("15-closer", "15-ten, with a closer in it", .p, goal: 30) { count in
            inTask { await openScopes(count, of: Fixture.closed) { sink(resolveGraph($0)) } }
        },
    ]
}

private func openScopes(_ count: Int, of container: Container, _ use: (Container) -> Void) async {
    for _ in 0..<count {
        let scope = container.openScope(.request)
        use(scope)
        try? await scope.close()
    }
}

/// Runs an operation that suspends, and waits for it: once for a whole batch.
private func inTask(_ operation: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
        await operation()
        end.signal()
    }
    end.wait()
}
