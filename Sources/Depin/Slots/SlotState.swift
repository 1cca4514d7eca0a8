/// One build of a slot's instance.
///
/// Its identity takes the place of a generation: a reset detaches it from its slot, and it still serves its waiters.
/// The lock of its slot guards it.
final class Building<Product: AnyObject> {
    /// Names the build and its steps in the wait-for graph.
    let number: UInt
    /// True if the build may be suspended.
    let takesTime: Bool
    /// How many steps work on it: several in a legal cycle.
    fileprivate(set) var depth = 1
    /// The first instance that a step has constructed.
    fileprivate(set) var product: Product?
    /// The instance's node in the graph of needs, set before it is constructed; 0 for none.
    var node: UInt = 0
    /// The dependents that waited before the node was known.
    fileprivate var early: [UInt] = []
    /// True when the build has kept its instance, or has failed.
    fileprivate(set) var isOver = false
    /// True when the slot, or its storage, has kept the instance.
    fileprivate(set) var isKept = false
    /// True once the build has waiters, which must be told of its end.
    var hasWaiters = false

    init(_ number: UInt, takesTime: Bool = false) {
        (self.number, self.takesTime) = (number, takesTime)
    }

    /// The node of the build's instance.
    ///
    /// If it is not known yet, gives 0, and remembers the dependent.
    func noteDependent(_ dependent: UInt) -> UInt {
        if node == 0 { early.append(dependent) }
        return node
    }

    /// Sets the node, unless a step further out has, and gives back the dependents that were remembered.
    func setNode(_ number: UInt) -> [UInt] {
        guard node == 0, number != 0 else { return [] }
        node = number
        var dependents: [UInt] = []
        swap(&dependents, &early)
        return dependents
    }

    /// Notes that the build has waiters; false if it is over.
    func addWaiter() -> Bool {
        guard !isOver else { return false }
        hasWaiters = true
        return true
    }
}

/// The content of a slot as a plain value: no threads, no locks, no user code.
///
///     empty, or weak whose object has gone ── enter ──▶ building
///     building ── leave ──▶ ready, weak, or empty if a storage or nothing keeps the instance
///     building ── abandon, abandonWholly ──▶ empty
///     building, ready, weak ── detach, for a reset ──▶ empty; the build goes on, and its instance is not kept
///
/// Between `enter` and `leave`, `construct` gives the build its product, which a cycle back to the slot receives.
struct SlotState<Product: AnyObject> {
    private enum Content {
        case empty
        case building(Building<Product>)
        case ready(Product)
        /// Held weakly, by the product itself.
        case weak(Product)
    }

    /// What a request gets of the slot.
    enum Entry {
        /// The instance and its node in the graph of needs.
        case ready(Product, node: UInt)
        /// A build that the caller begins, and ends with ``leave(_:keeping:)``.
        case make(Building<Product>)
        /// The build of another thread or task, to wait for.
        case wait(Building<Product>)
    }

    private var content = Content.empty
    /// The node of the instance in the slot; 0 for none.
    var node: UInt = 0

    init() {}

    /// A slot that has its instance from the beginning.
    init(ready product: Product) {
        content = .ready(product)
    }

    /// The instance, unless it is held weakly.
    var ready: Product? { if case .ready(let product) = content { product } else { nil } }

    /// The instance; a closure gives the living one for one that is held weakly.
    func kept(_ living: (Product) -> Product?) -> Product? {
        switch content {
        case .ready(let product): product
        case .weak(let product): living(product)
        case .empty, .building: nil
        }
    }

    /// Enters the slot for a request, given the build that the request's path has under way here, if any.
    mutating func enter(
        own: Building<Product>?,
        takesTime: Bool = false,
        number: @autoclosure () -> UInt,
        living: (Product) -> Product?
    ) -> Entry {
        // An instance that the path has under construction comes first, even after a reset.
        if let own {
            if let product = own.product { return .ready(product, node: own.node) }
            // Otherwise the path is that of a task which has outlived the build.
            if own.depth > 0 {
                own.depth += 1
                return .make(own)
            }
        }
        switch content {
        case .ready(let product): return .ready(product, node: node)
        case .weak(let product):
            if let living = living(product) { return .ready(living, node: node) }
        case .building(let building): return .wait(building)
        case .empty: break
        }
        let building = Building<Product>(number(), takesTime: takesTime)
        content = .building(building)
        return .make(building)
    }

    /// Gives back the instance to keep, after the factory: the first one that was constructed.
    func construct(
        _ building: Building<Product>,
        _ product: Product,
        node: UInt = 0
    ) -> (kept: Product, isFirst: Bool) {
        if let first = building.product { return (first, false) }
        (building.product, building.node) = (product, node)
        return (product, true)
    }

    /// How an instance is kept after its build.
    enum Keeping {
        case strongly
        case weakly(Product)
        /// By a custom storage, if it still does.
        case inStorage
        /// Not at all.
        case notHere
    }

    /// Ends a step of a build; true if that ends the build, so that waiters must be told.
    mutating func leave(_ building: Building<Product>, keeping: (Product) -> Keeping) -> Bool {
        building.depth -= 1
        guard !building.isOver, building.product != nil || building.depth == 0 else { return false }
        building.isOver = true
        guard isCurrent(building) else { return true }
        content = .empty
        guard let product = building.product else { return true }
        switch keeping(product) {
        case .strongly: content = .ready(product)
        case .weakly(let product): content = .weak(product)
        case .inStorage: break
        case .notHere: return true
        }
        building.isKept = true
        if building.node != 0 { node = building.node }
        return true
    }

    /// Ends a step of a build that has failed.
    ///
    /// The last step drops the constructed instance, and gives it back; other steps go on with it.
    mutating func abandon(_ building: Building<Product>) -> (dropped: Product?, isEnd: Bool) {
        guard building.depth == 1, !building.isOver else {
            building.depth -= 1
            return (nil, false)
        }
        var dropped: Product?
        swap(&dropped, &building.product)
        return (dropped, leave(building) { _ in .notHere })
    }

    /// Ends a build whose steps have all been given up.
    mutating func abandonWholly(_ building: Building<Product>) {
        building.isOver = true
        if isCurrent(building) { _ = detach() }
    }

    /// The build under way.
    var current: Building<Product>? {
        guard case .building(let building) = content else { return nil }
        return building
    }

    /// True if nothing has detached a build from the slot.
    func isCurrent(_ building: Building<Product>) -> Bool { current === building }

    /// Empties the slot, and detaches its build; gives back the instance.
    mutating func detach() -> (product: Product?, node: UInt) {
        defer { (content, node) = (.empty, 0) }
        return (kept { $0 }, node)
    }
}
