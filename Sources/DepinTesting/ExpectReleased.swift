import Depin
import Testing

/// Expects that nothing keeps alive what a flow leaves behind.
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
/// Examined are the objects that `operation` returns: one, or several in a tuple, a collection or an
/// optional. Where it returns none, it is the services that it had built:
///
/// ```swift
/// expectReleased {
///     FeedScreen().refresh()
/// }
/// ```
///
/// For each object that is still alive when the call has let go of everything, an issue stands at the
/// line of the call and names its type.
///
/// Of the services, those count that the container in force built for this flow, also on other threads
/// for objects that were made in it. A service that its scope keeps does not count, nor what was built
/// for it, nor what is built for an object that was there before. When a singleton that first comes up
/// within the flow resolves its `@Injected` properties there, they do count; ask for it once before.
///
/// Of a container that does not go, the registration is named whose factory captures it:
///
/// ```swift
/// expectReleased {
///     let assembler = Assembler([FeedAssembly()])
///     return assembler
/// }
/// ```
///
/// - Parameters:
///   - comment: Stands beside the issue.
///   - sourceLocation: Where the issue stands.
///   - operation: Runs the flow, and returns what must be gone after it.
/// - Throws: What `operation` throws; nothing is examined then.
public func expectReleased<Result>(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    operation: () throws -> Result
) rethrows {
    let flow = Flow()
    let container = SpaceValues.current.dependenciesContainer
    let returned = try container.showingProducts(to: flow.add) {
        try withSpace({ $0[FlowKey.self] = flow }, operation: { try Remains(operation()) })
    }
    let remains = returned.isEmpty ? flow.remains : returned
    remains.report(comment, sourceLocation)
}

/// Expects that nothing keeps alive what an asynchronous flow leaves behind.
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
/// A task that the flow began may hold an object for a moment longer, so the objects are given a
/// grace period. It only costs time where something is kept alive. Everything else is as in the
/// synchronous form; `operation` runs on the caller's actor.
///
/// - Parameters:
///   - comment: Stands beside the issue.
///   - grace: How long the objects may live on.
///   - isolation: The actor to run on, the caller's unless another is given.
///   - sourceLocation: Where the issue stands.
///   - operation: Runs the flow, and returns what must be gone after it.
/// - Throws: What `operation` throws; nothing is examined then.
public func expectReleased<Result>(
    _ comment: Comment? = nil,
    within grace: Duration = .seconds(1),
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    operation: () async throws -> Result
) async rethrows {
    let flow = Flow()
    let container = SpaceValues.current.dependenciesContainer
    let returned = try await container.showingProducts(to: flow.add) {
        try await withSpace(
            { $0[FlowKey.self] = flow },
            operation: { try await Remains(operation()) }
        )
    }
    let remains = returned.isEmpty ? flow.remains : returned
    await untilTrue(within: grace) { !remains.isAlive }
    remains.report(comment, sourceLocation)
}

/// Gives tasks that still run the time to let go of what they hold.
func untilTrue(
    within grace: Duration,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () -> Bool
) async {
    let end = ContinuousClock.now + grace
    while !condition(), ContinuousClock.now < end {
        // A cancelled test need not wait.
        guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { break }
    }
}

/// The flow that the code belongs to.
///
/// A value of the space, so that an object made in the flow takes it along to every thread.
private enum FlowKey: SpaceKey {
    static var defaultValue: Flow? { nil }
}

/// What the container has built for a flow.
private final class Flow: Sendable {
    private let objects = SharedList<Remains.Object>()

    func add(_ product: Any, _ place: CodePlace) {
        guard SpaceValues.current[FlowKey.self] === self, type(of: product) is AnyClass else {
            return
        }
        objects.append(Remains.Object(product, place))
    }

    var remains: Remains { Remains(objects.all) }
}

/// What a flow left behind, held weakly.
private struct Remains {
    // Unchecked: the object is only looked for, never used.
    struct Object: @unchecked Sendable {
        weak var reference: AnyObject?
        let type: Any.Type
        let place: CodePlace?

        init(_ object: Any, _ place: CodePlace? = nil) {
            reference = object as AnyObject
            type = Swift.type(of: object)
            self.place = place
        }
    }

    private var objects: [Object] = []

    init(_ objects: [Object]) {
        self.objects = objects
    }

    init(_ result: Any) {
        collect(result)
    }

    var isEmpty: Bool { objects.isEmpty }
    var isAlive: Bool { objects.contains { $0.reference != nil } }

    func report(_ comment: Comment?, _ sourceLocation: SourceLocation) {
        for object in objects where object.reference != nil {
            let keeper = Container.keeper { object.reference as? Container }
            let words = Comment.alive(object.type, object.place, keeper, comment)
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
            let object = value as AnyObject
            guard !objects.contains(where: { $0.reference === object }) else { return }
            objects.append(Object(value))
            if let assembler = value as? Assembler { collect(assembler.container) }
        }
    }
}
