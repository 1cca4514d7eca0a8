import Depin
import Testing

/// Expects that a flow leaves nothing alive.
///
/// ```swift
/// @Test func `releases the screen`() {
///     expectReleased {
///         let screen = FeedScreen()
///         screen.refresh()
///         return screen
///     }
/// }
/// ```
///
/// This examines the objects that `operation` returns: one, or several in a tuple, a collection or an
/// optional. If it returns none, this examines the services built in it:
///
/// ```swift
/// expectReleased {
///     FeedScreen().refresh()
/// }
/// ```
///
/// It records an issue, at the line of the call, for each object that is still alive after the call has
/// released everything. The issue names the object's type.
///
/// It examines services that the container in force built for this flow, including those built on other
/// threads for objects made in it. It ignores services that their scope keeps, everything built for those,
/// and everything built for objects from before. It does examine the `@Injected` properties that a
/// singleton resolves when it is first used within the flow; resolve that singleton before.
///
/// If a container is not released, the issue names the registration whose factory captures it:
///
/// ```swift
/// expectReleased {
///     let assembler = Assembler([FeedAssembly()])
///     return assembler
/// }
/// ```
///
/// - Parameters:
///   - comment: A comment for the issue.
///   - sourceLocation: Where to record the issue.
///   - operation: Runs the flow, and returns the objects that must be released after it.
/// - Throws: What `operation` throws. In that case nothing is examined.
public func expectReleased<Result>(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    operation: () throws -> Result
) rethrows {
    let (flow, container) = (Flow(), SpaceValues.current.dependenciesContainer)
    container.observe(by: flow)
    defer { container.endObserving(by: flow) }
    let returned = try withSpace(
        { $0[FlowKey.self] = flow },
        operation: { try Remains(operation()) }
    )
    flow.remains(returning: returned).report(comment, sourceLocation)
}

/// Expects that an asynchronous flow leaves nothing alive.
///
/// ```swift
/// @Test func `releases the screen`() async {
///     await expectReleased {
///         let screen = FeedScreen()
///         await screen.refresh()
///         return screen
///     }
/// }
/// ```
///
/// A task of the flow may hold an object a moment longer, so there is a grace period. It costs time only if
/// something stays alive. Everything else is as in the synchronous form. `operation` runs on the caller's
/// actor.
///
/// - Parameters:
///   - comment: A comment for the issue.
///   - grace: How long the objects may stay alive.
///   - isolation: The actor to run on, the caller's unless another is given.
///   - sourceLocation: Where to record the issue.
///   - operation: Runs the flow, and returns the objects that must be released after it.
/// - Throws: What `operation` throws. In that case nothing is examined.
public func expectReleased<Result>(
    _ comment: Comment? = nil,
    within grace: Duration = .seconds(1),
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    operation: () async throws -> Result
) async rethrows {
    let (flow, container) = (Flow(), SpaceValues.current.dependenciesContainer)
    container.observe(by: flow)
    defer { container.endObserving(by: flow) }
    let returned = try await withSpace(
        { $0[FlowKey.self] = flow },
        operation: { try await Remains(operation()) }
    )
    let remains = flow.remains(returning: returned)
    await untilTrue(within: grace) { !remains.isAlive }
    remains.report(comment, sourceLocation)
}

/// Gives running tasks time to let go of what they hold.
func untilTrue(
    within grace: Duration,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () -> Bool
) async {
    let end = ContinuousClock.now + grace
    while !condition(), ContinuousClock.now < end {
        // A canceled test need not wait.
        guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { break }
    }
}

/// The flow that the current code belongs to.
///
/// A value of the space, so that objects made in the flow take it along to every thread.
private enum FlowKey: SpaceKey {
    static var defaultValue: Flow? { nil }
}

/// Notes what a container builds for a flow, except for instances that its scopes keep, and what is built for those.
///
/// It goes on in the forks and children that are made in the flow, as long as they live.
private final class Flow: EngineObserver {
    private let objects = Guarded<[Remains.Object]>([])

    func made(_ box: AnyBox, by registration: Registration, _ path: Path) {
        let isForKept = path.steps.contains { step in
            step.pointee.registration.map { $0.kind.keeps } ?? false
        }
        let product = box.anyValue
        guard !isForKept, SpaceValues.current[FlowKey.self] === self, type(of: product) is AnyClass
        else { return }
        let object = Remains.Object(product, registration.place)
        objects.withLock { $0.append(object) }
    }

    /// The objects that the flow returned, or, if it returned none, those that were built for it.
    func remains(returning returned: Remains) -> Remains {
        returned.isEmpty ? Remains(objects.withLock(\.copied)) : returned
    }
}

/// The objects that a flow has left behind, held weakly.
private struct Remains {
    struct Object: Sendable {
        let reference: WeakObject
        let type: Any.Type
        let place: CodePlace?

        init(_ object: Any, _ place: CodePlace? = nil) {
            // A view, a `Provider` or a resolver keeps a container's engine open without the container.
            reference = WeakObject((object as? Container)?.engine ?? object as AnyObject)
            type = Swift.type(of: object)
            self.place = place
        }

        /// The engine, if the object is a container.
        var engine: Engine? { reference.object as? Engine }
        var isAlive: Bool { engine?.hasOwner ?? (reference.object != nil) }
    }

    private var objects: [Object] = []

    init(_ objects: [Object]) {
        self.objects = objects
    }

    init(_ result: Any) {
        collect(result)
    }

    var isEmpty: Bool { objects.isEmpty }
    var isAlive: Bool { objects.contains(where: \.isAlive) }

    func report(_ comment: Comment?, _ sourceLocation: SourceLocation) {
        for object in objects where object.isAlive {
            let holder = Container.holder { object.engine }
            let words = Comment.alive(object.type, object.place, holder, comment)
            Issue.record(words, sourceLocation: sourceLocation)
        }
    }

    private mutating func collect(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .tuple, .optional, .collection, .dictionary, .set:
            for child in mirror.children {
                collect(child.value)
            }
        default:
            guard type(of: value) is AnyClass else { return }
            let object = Object(value)
            let isKnown = objects.contains { $0.reference.object === object.reference.object }
            guard !isKnown else { return }
            objects.append(object)
            if let assembler = value as? Assembler { collect(assembler.container) }
        }
    }
}
