/// One build of a slot's instance.
///
/// Its identity is what a generation would be: a reset detaches it from its slot, and it goes on to serve
/// those who wait for it. The lock of its slot guards it.
package final class Building<Product: AnyObject> {
    /// Names the build, and whoever builds it, in the wait-for graph.
    let number: UInt
    /// True where who builds may be suspended meanwhile.
    let takesTime: Bool
    /// How many steps are at it: more than one in a legal cycle.
    fileprivate(set) var depth = 1
    /// The first instance that was constructed.
    fileprivate(set) var product: Product?
    /// The instance in the graph of needs, also before it is constructed; 0 for none.
    var node: UInt = 0
    /// Those in that graph who wait since before it was known.
    fileprivate var early: [UInt] = []
    /// True when it keeps what it has constructed, or has failed.
    fileprivate(set) var isOver = false
    /// True once somebody waits, who must be told of the end.
    var hasWaiters = false

    init(_ number: UInt, takesTime: Bool = false) {
        (self.number, self.takesTime) = (number, takesTime)
    }

    /// The node of what it constructs in the graph of needs; where that is not known yet, 0, and the one that needs it
    /// is noted for later.
    func noteDependent(_ dependent: UInt) -> UInt {
        if node == 0 { early.append(dependent) }
        return node
    }

    /// Says which that is, unless a step further out has said so, and gives back who was noted to need it.
    func setNode(_ number: UInt) -> [UInt] {
        guard node == 0, number != 0 else { return [] }
        node = number
        var dependents: [UInt] = []
        swap(&dependents, &early)
        return dependents
    }

    /// Notes that somebody waits; false where the build is over.
    func addWaiter() -> Bool {
        guard !isOver else { return false }
        hasWaiters = true
        return true
    }
}

/// What stands in a slot, as a plain value: no threads, no locks, no user code.
///
///     empty, or weak whose object has gone ── enter ──▶ building
///     building ── leave ──▶ ready, weak, or empty: a storage keeps it, or nobody
///     building ── abandon, abandonWholly ──▶ empty
///     building, ready, weak ── detach: a reset, say ──▶ empty; who builds goes on, and its instance is not kept
///
/// Between `enter` and `leave`, `construct` gives the build its product, which a cycle is given.
struct SlotState<Product: AnyObject> {
    private enum Content {
        case empty
        case building(Building<Product>)
        case ready(Product)
        /// Held weakly, by the product itself.
        case weak(Product)
    }

    /// What a request of the slot comes to.
    enum Entry {
        /// The instance, and its number in the graph of needs.
        case ready(Product, node: UInt)
        /// It is for the caller to build, and to call ``leave(_:keeping:)`` then.
        case make(Building<Product>)
        /// Another one builds it.
        case wait(Building<Product>)
    }

    private var content = Content.empty
    /// The instance that stands here in the graph of needs, 0 for none.
    var node: UInt = 0

    init() {}

    /// One with an instance from the beginning.
    init(ready product: Product) {
        content = .ready(product)
    }

    /// The instance that stands here, and is not held weakly.
    @inline(__always)
    var ready: Product? { if case .ready(let product) = content { product } else { nil } }

    /// The instance that stands here; the closure gives what lives of one that is held weakly.
    func kept(_ living: (Product) -> Product?) -> Product? {
        switch content {
        case .ready(let product): product
        case .weak(let product): living(product)
        case .empty, .building: nil
        }
    }

    /// Enters the slot for a request whose path builds it already, or does not.
    mutating func enter(
        own: Building<Product>?,
        takesTime: Bool = false,
        number: @autoclosure () -> UInt,
        living: (Product) -> Product?
    ) -> Entry {
        if let own {
            // What a path has under construction comes first, also when a reset came between.
            if let product = own.product { return .ready(product, node: own.node) }
            own.depth += 1
            return .make(own)
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

    /// The factory has returned: gives back the instance to keep, the first that was constructed.
    func construct(
        _ building: Building<Product>,
        _ product: Product,
        node: UInt = 0
    ) -> (kept: Product, isFirst: Bool) {
        if let first = building.product { return (first, false) }
        (building.product, building.node) = (product, node)
        return (product, true)
    }

    /// How an instance is kept when its build is over.
    enum Keeping {
        case strongly
        case weakly(Product)
        /// In a storage of the user's, if that still does.
        case inStorage
        /// By nobody.
        case notHere
    }

    /// A step of a build is done; true where that was its end, of which those who wait must hear.
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
        if building.node != 0 { node = building.node }
        return true
    }

    /// A step of a build has failed.
    ///
    /// Where it was the last one, what was constructed is given back, and not kept; else the others go on with it.
    mutating func abandon(_ building: Building<Product>) -> (dropped: Product?, isEnd: Bool) {
        guard building.depth == 1, !building.isOver else {
            building.depth -= 1
            return (nil, false)
        }
        var dropped: Product?
        swap(&dropped, &building.product)
        return (dropped, leave(building) { _ in .notHere })
    }

    /// All steps of a build have been given up, and none of them goes on.
    mutating func abandonWholly(_ building: Building<Product>) {
        building.isOver = true
        if isCurrent(building) { content = .empty }
    }

    /// The build under way.
    var current: Building<Product>? {
        guard case .building(let building) = content else { return nil }
        return building
    }

    /// True where a build is that of the slot: nothing has detached it.
    func isCurrent(_ building: Building<Product>) -> Bool { current === building }

    /// Empties the slot, and detaches who builds; gives back what was there.
    mutating func detach() -> (product: Product?, node: UInt) {
        defer { (content, node) = (.empty, 0) }
        return (kept { $0 }, node)
    }

    /// True where nothing stands here, and nobody builds.
    func isIdle(_ living: (Product) -> Product?) -> Bool {
        switch content {
        case .empty: true
        case .weak(let product): living(product) == nil
        case .building, .ready: false
        }
    }
}
