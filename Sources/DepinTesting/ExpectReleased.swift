import Depin
import Testing

/// Expects that nothing keeps alive the objects that a flow leaves behind.
///
/// ```swift
/// @Test func `lets go of the screen`() {
///     expectReleased {
///         let screen = FeedScreen()
///         screen.refresh()
///         return screen
///     }
/// }
/// ```
///
/// The objects are those that `operation` returns: one, or several in a tuple, an array, a dictionary
/// or an optional. When the call has let go of the result and one of them is still alive, an issue
/// stands at the line of the call and names its type. Values that are no objects are not looked at.
///
/// - Parameters:
///   - comment: Stands beside the issue.
///   - sourceLocation: Where the issue stands.
///   - operation: Runs the flow and returns what must be gone after it.
/// - Throws: What `operation` throws; nothing is examined then.
public func expectReleased<Result>(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    operation: () throws -> Result
) rethrows {
    let objects = try Remains(operation())
    objects.report(comment, sourceLocation)
}

/// Expects that nothing keeps alive the objects that an asynchronous flow leaves behind.
///
/// ```swift
/// @Test func `lets go of the screen`() async {
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
///   - operation: Runs the flow and returns what must be gone after it.
/// - Throws: What `operation` throws; nothing is examined then.
public func expectReleased<Result>(
    _ comment: Comment? = nil,
    within grace: Duration = .seconds(1),
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    operation: () async throws -> Result
) async rethrows {
    let objects = try await Remains(operation())
    let end = ContinuousClock.now + grace
    while !objects.living.isEmpty, ContinuousClock.now < end {
        // A cancelled test need not wait.
        guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { break }
    }
    objects.report(comment, sourceLocation)
}

/// What a flow left behind, held weakly.
private struct Remains {
    private struct Object {
        weak var reference: AnyObject?
        let type: String
    }

    private var objects: [Object] = []

    init(_ result: Any) {
        collect(result)
    }

    /// The types of the objects that are still alive.
    var living: [String] {
        objects.filter { $0.reference != nil }.map(\.type)
    }

    func report(_ comment: Comment?, _ sourceLocation: SourceLocation) {
        for type in living {
            Issue.record(.alive(type, comment), sourceLocation: sourceLocation)
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
            objects.append(Object(reference: object, type: String(describing: type(of: value))))
        }
    }
}
