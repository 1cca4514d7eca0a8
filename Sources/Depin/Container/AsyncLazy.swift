/// A service that is resolved when you first await it.
///
/// You can resolve an `AsyncLazy` of any registered service, whether it takes time to make or not.
/// Synchronous code can take one and await it later:
///
/// ```swift
/// struct SearchScreen {
///     @Injected private var search: AsyncLazy<Index>
///
///     func find(_ text: String) async throws -> [Note] {
///         try await search.value.notes(with: text)
///     }
/// }
/// ```
///
/// It belongs to the graph in which it was made, as a ``Lazy`` does. You may use it from any thread and
/// task. The first task that awaits it makes the service, and others wait for it without blocking a thread.
/// It keeps the container alive, unless the container keeps the instance it was made for.
public final class AsyncLazy<Service> {
    private let flight: Flight

    fileprivate init(_ flight: Flight) {
        self.flight = flight
    }

    /// The service, made when you first await it; a failure is not kept.
    ///
    /// - Throws: ``ResolutionError``, or `CancellationError` if the task is canceled while it waits for the
    ///   service or makes it.
    nonisolated(nonsending) public var value: Service {
        get async throws {
            unsafeDowncast(try await flight.box(), to: Box<Service>.self).value
        }
    }
}

/// A request that is made once, by the first who awaits it.
private final class Flight: Sendable {
    private let request: LaterRequest
    private let graph: ObjectGraph
    private let subject = Site.Subject.instance(entry: Serial.next(), generation: 0)
    private let stored = Guarded<AnyBox?>(nil)

    init(_ request: LaterRequest, graph: ObjectGraph) {
        self.request = request
        self.graph = graph
    }

    func box() async throws -> AnyBox {
        while true {
            if let stored = stored.withLock({ $0 }) { return stored }
            graph.begin()
            let frame = AsyncFrame(
                graph,
                asked: request.asked,
                owner: request.owner,
                for: request.needer,
                in: AsyncFrame.current
            )
            let box: AnyBox? = try await frame.run {
                switch try await Site.shared.request(subject, by: frame) {
                case .build: try await make(in: frame)
                case .take(let made), .built(let made): made
                case .circular(let otherPath): throw request.circular(otherPath, in: frame)
                }
            }
            if let box { return box }
        }
    }

    /// Has the service made, unless it has been meanwhile.
    private func make(in frame: AsyncFrame) async throws -> AnyBox? {
        do {
            guard stored.withLock({ $0 }) == nil else {
                Site.shared.abandon(subject)
                return nil
            }
            let made = try await request.asked.instance(for: request.asynchronous, in: frame)
            stored.withLock { $0 = made }
            _ = Site.shared.construct(subject, made)
            Site.shared.complete(subject)
            return made
        } catch {
            Site.shared.abandon(subject)
            throw error
        }
    }
}

extension AsyncLazy: Sendable where Service: Sendable {}

extension AsyncLazy: DeferredService {
    static var deferral: Deferral { .asyncLazy }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) -> AnyBox? {
        derive(request, path) { Box(AsyncLazy(Flight($0, graph: $1))) }
    }
}
