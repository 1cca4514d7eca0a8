/// A random app and what is done with it: first one operation after the other, then in several lanes at once.
///
/// Numbers that choose among what is there, a place or something held, are taken modulo their count, so that
/// a program is still one when parts of it are dropped. Negative ones count from the end.
struct Program: Sendable {
    let seed: UInt64
    var features: Features
    /// What the app registers before anything else, by the service's number.
    var recipes: [Recipe] = []
    var setup: [Operation] = []
    var lanes: [Lane] = []

    /// Operations that a thread or a task does while the other lanes do theirs.
    struct Lane: Sendable {
        var isTask: Bool
        var operations: [Operation]
    }

    enum Scope: CaseIterable, Sendable {
        case transient, graph, container, named, weak, stored, session, request
        /// A storage that keeps an instance until the next operation.
        case expiring

        var isUnshared: Bool { self == .transient || self == .graph }
        /// Belongs to a container that opens and closes.
        var isOpened: Bool { self == .session || self == .request }
        /// Keeps one instance until it is reset or closed.
        var isPermanent: Bool { !isUnshared && self != .weak && self != .expiring }
    }

    /// How a service is registered.
    struct Recipe: Sendable {
        var scope: Scope
        var takesArgument = false
        var isPerArguments = false
        var isAsync = false
        /// Made on the main actor alone.
        var isMain = false
        /// Made by a warm-up.
        var isEager = false
        /// What the factory asks for, in this order.
        var needs: [Need] = []
        /// What `initCompleted` asks for, which goes on without those that it does not get.
        var callback: [Request] = []
        var closes = false
        /// What its closer does beside that.
        var atClose: [Errand] = []
        /// Fails so many times before it succeeds.
        var failures = 0
        /// How often the factory lets others go first.
        var pauses = 0
    }

    enum Need: Sendable {
        case service(Request)
        /// Asks twice, and keeps neither: the graph has the second from the first.
        case glances(Request)
        /// All contributions.
        case collection
        /// Keeps its graph.
        case graph
        /// The factory does something to the container that it is given.
        case operation(Operation)
        /// The factory does something beside its work.
        case errand(Errand)

        /// What it asks for, unless that is all contributions.
        var request: Request? {
            switch self {
            case .service(let request), .glances(let request): request
            case .collection, .graph, .operation, .errand: nil
            }
        }
    }

    /// What a factory or a closer does beside its work, while lanes run: it resolves or closes.
    struct Errand: Sendable {
        enum Moment: Sendable {
            case awaited
            /// In a task that nobody awaits.
            case meanwhile
            /// The same, and it begins when what has started it is over.
            case afterwards
        }

        let operation: Operation
        let moment: Moment

        var closes: Bool { if case .close = operation { true } else { false } }
    }

    /// What is asked for, and how.
    struct Request: Hashable, Sendable {
        var service: Int
        /// Nil where the service takes none.
        var argument: Int?
        var way: Way
        /// Through a view that serializes factories.
        var isSerialized = false
    }

    enum Way: CaseIterable, Sendable {
        case require, requireAsync
        /// Through the view of `synchronize()`.
        case view
        /// Kept, and used later.
        case lazy, provider, resolver, property, asyncLazy

        var isLater: Bool {
            switch self {
            case .require, .requireAsync, .view: false
            case .lazy, .provider, .resolver, .property, .asyncLazy: true
            }
        }
        var isAsync: Bool { self == .requireAsync || self == .asyncLazy }
        /// Stops the process where it fails.
        var isTrapping: Bool { self == .lazy || self == .provider || self == .property }
    }

    /// Wraps each new instance in another.
    struct Decoration: Sendable {
        var needs: [Request]
        var fails: Bool
        var isAsync = false
    }

    indirect enum Operation: Sendable {
        case resolve(place: Int, Request)
        case collect(place: Int)
        /// Uses what an instance that is held has kept for later.
        case use(Int)
        case drop(Int)
        case register(place: Int, service: Int, Recipe)
        case unregister(place: Int, service: Int)
        case reset(place: Int, Scope)
        case decorate(place: Int, service: Int, Decoration)
        case contribute(place: Int, Recipe)
        case child(place: Int)
        case open(place: Int, Scope)
        case fork(place: Int)
        case close(place: Int)
        /// Lets go of an open scope that nobody has closed.
        case leave(place: Int)
        /// Uses what an instance that is held has kept, where a place is in force and overridden.
        case visit(place: Int, Int)
        /// Closes while a factory is under way, which the request has begun.
        case closeDuring(place: Int, Request)
        /// Asks in `withSpace(overriding:)`.
        case override(place: Int, service: Int, Recipe, Request)
        /// Asks several times in one graph.
        case graph(place: Int, [Request])
        case validate(place: Int)
        /// The same with asynchronous factories.
        case validateAsync(place: Int, isCanceled: Bool)
        /// Resolves in a task that is canceled.
        case cancel(place: Int, Request)
        case warmUp(place: Int, width: Int, isCanceled: Bool)
        /// Registers, asks for and removes a service of another type several times.
        case guests(place: Int, Scope)
        /// Passes an argument that keeps what is made for it.
        case owner(place: Int)
        /// Asks for what everything is, for which nothing is registered.
        case anything(place: Int)
    }
}

extension Array {
    /// The index that a number of a program means.
    func cyclicIndex(_ number: Int) -> Int { (number % count + count) % count }

    subscript(cyclic number: Int) -> Element { self[cyclicIndex(number)] }
}
