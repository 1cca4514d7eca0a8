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
    private let flight: Flight

    init(_ later: LaterRequest) {
        flight = Flight(later)
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

/// The one request of an ``AsyncLazy``, which the first caller makes.
private final class Flight: Sendable {
    private let later: LaterRequest
    private let turn = Turn()
    private let stored = Guarded<AnyBox?>(nil)

    init(_ later: LaterRequest) {
        self.later = later
    }

    func box() async throws -> AnyBox {
        if let stored = stored.withLock({ $0 }) { return stored }
        later.graph?.begin()
        let outer = TaskFrame.current
        var step = Resolution.Step(
            in: later.engine,
            graph: later.graph,
            dependent: later.dependent,
            after: outer?.step
        )
        step.owner = later.request.owner
        let frame = TaskFrame(step, in: outer)
        return try await frame.run {
            try await turn.run(in: frame, of: later.engine, isNeeded: true) { frame, circle in
                if let stored = stored.withLock({ $0 }) { return stored }
                if let circle {
                    let failure = ResolutionError.Failure.circularDependency(otherPath: circle)
                    throw Path(frame.step).error(failure, for: later.request)
                }
                do {
                    let made = try await later.engine.needed(later.request, in: frame)
                    stored.withLock { $0 = made }
                    return made
                } catch {
                    throw later.placed(error)
                }
            }
        }
    }
}

extension AsyncLazy: Sendable where Service: Sendable {}

extension AsyncLazy: DeferredService {
    static var deferral: Deferral { .asyncLazy }
}
