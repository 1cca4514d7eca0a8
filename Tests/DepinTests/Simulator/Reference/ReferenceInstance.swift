/// An instance of the reference, which holds what the real one holds, so that weak references end alike.
final class ReferenceInstance {
    let number: Int
    let service: Int
    var needs: [ReferenceInstance] = []
    var deferrals: [ReferenceDeferral] = []
    /// What the callback got.
    var completions: [ReferenceInstance] = []
    /// What a decorator has wrapped.
    let inner: ReferenceInstance?

    init(_ number: Int, _ service: Int, inner: ReferenceInstance? = nil) {
        (self.number, self.service, self.inner) = (number, service, inner)
    }

    var innermost: ReferenceInstance { inner?.innermost ?? self }

    /// What it holds.
    var held: [ReferenceInstance] {
        needs + completions + deferrals.compactMap(\.value) + (inner.map { [$0] } ?? [])
    }

    /// Unties what refers to each other.
    func dissolve() { (needs, completions, deferrals) = ([], [], []) }
}

/// A reference to an instance: strong, or weak from the beginning or from some time on.
final class ReferenceReference {
    private var strong: ReferenceInstance?
    private weak var weakly: ReferenceInstance?

    init(_ instance: ReferenceInstance, isWeak: Bool = false) {
        weakly = instance
        if !isWeak { strong = instance }
    }

    var instance: ReferenceInstance? { strong ?? weakly }

    func weaken() { strong = nil }
}

/// What may be asked for later.
final class ReferenceDeferral {
    let request: Program.Request
    let container: ReferenceContainer
    /// The graph that a `Lazy` belongs to.
    let graph: ReferenceGraph?
    /// What a `Lazy` or a property gives for ever.
    var value: ReferenceInstance?
    /// True where it holds its container, since nothing shared has to do with it.
    var holdsContainer = false
    /// True where what has it is kept by its container, which it does not hold then.
    let isKept: Bool

    init(
        _ request: Program.Request,
        _ container: ReferenceContainer,
        _ graph: ReferenceGraph?,
        isKept: Bool
    ) {
        (self.request, self.container, self.graph) = (request, container, graph)
        self.isKept = isKept
    }
}

/// The instances of a graph; weakly when it has ended.
final class ReferenceGraph {
    struct Key: Hashable {
        let registration: ObjectIdentifier
        let container: ObjectIdentifier
        let argument: Int?
        /// The container whose decorators are around it; nil for the registration's own instance.
        var wrapper: ObjectIdentifier?
    }

    private var table: [Key: ReferenceReference] = [:]
    /// Weakly shared instances, which a graph under way holds.
    private var held: [ReferenceInstance] = []
    /// A key is not taken for a later one's.
    private var keys: [AnyObject] = []

    subscript(key: Key) -> ReferenceInstance? { table[key]?.instance }

    func keep(_ instance: ReferenceInstance, for key: Key, _ owners: AnyObject...) {
        table[key] = ReferenceReference(instance)
        keys += owners
    }

    func hold(_ instance: ReferenceInstance) { held.append(instance) }

    func end() {
        held = []
        for reference in table.values { reference.weaken() }
    }
}
