/// A service that is resolved when you first await it.
///
/// You can resolve an `AsyncLazy` of any registered service, synchronous or asynchronous.
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
    private let later: LaterRequest
    private let turn = Turn()
    private let stored = Guarded<AnyBox?>(nil)

    init(_ later: LaterRequest) {
        self.later = later
    }

    /// The service, made when you first await it; a failure is not kept.
    ///
    /// - Throws: ``ResolutionError``, or `CancellationError` if the task is canceled while it waits for the
    ///   service or makes it.
    nonisolated(nonsending) public var value: Service {
        get async throws {
            let box = try await later.awaitedInstance(once: turn, in: stored)
            return unsafeDowncast(box, to: Box<Service>.self).value
        }
    }
}

extension LaterRequest {
    /// The instance in the graph, awaited by the first caller and stored for the others.
    fileprivate func awaitedInstance(
        once turn: Turn,
        in stored: Guarded<AnyBox?>
    ) async throws -> AnyBox {
        if let stored = stored.withLock({ $0 }) { return stored }
        let frame = TaskFrame(of: graph, in: engine, request.owner)
        return try await frame.run {
            try await turn.run(in: frame, of: engine, isNeeded: true) { frame, circle in
                if let stored = stored.withLock({ $0 }) { return stored }
                if let circle {
                    let failure = ResolutionError.Failure.circularDependency(otherPath: circle)
                    throw Path(frame.step).error(failure, for: request)
                }
                do {
                    let made = try await withSpace(space) {
                        try await engine.needed(request, by: dependent)
                    }
                    stored.withLock { $0 = made }
                    return made
                } catch {
                    throw placed(error)
                }
            }
        }
    }
}

extension AsyncLazy: Sendable where Service: Sendable {}

extension AsyncLazy: DeferredService {
    static var deferral: Deferral { .asyncLazy }
}
