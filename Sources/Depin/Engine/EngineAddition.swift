/// What a feature of the library keeps in an engine, which knows of it only that it ends.
///
/// It is guarded by the lock of the engine's state, and made when something is first put into it.
protocol EngineAddition: SendableMetatype {
    init()

    static var lifetime: AdditionLifetime { get }

    /// The slots in it, which end with it.
    var slots: [Slot] { get }

    /// What a fork begins with.
    var forked: Self? { get }
}

extension EngineAddition {
    var slots: [Slot] { [] }
    var forked: Self? { nil }
}

/// What an addition goes with.
enum AdditionLifetime {
    case registrations
    case container
    case engine
}

/// One addition where it lies.
class AnyAddition {
    var lifetime: AdditionLifetime { fatalError("an addition of nothing") }
    var slots: [Slot] { [] }
    var forked: AnyAddition? { nil }
}

private final class Addition<Value: EngineAddition>: AnyAddition {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }

    override var lifetime: AdditionLifetime { Value.lifetime }
    override var slots: [Slot] { value.slots }
    override var forked: AnyAddition? { value.forked.map(Addition.init) }
}

/// The additions to one engine, each made when it is first changed.
struct Additions {
    private var all: [AnyAddition]

    init() { self.init(all: []) }

    private init(all: [AnyAddition]) {
        self.all = all
    }

    /// The addition of a type, which reads as a new one where there is none.
    subscript<Value: EngineAddition>(_ type: Value.Type) -> Value {
        get { find(Value.self)?.value ?? Value() }
        _modify {
            if let known = find(Value.self) {
                yield &known.value
            } else {
                let made = Addition(Value())
                all.append(made)
                yield &made.value
            }
        }
    }

    private func find<Value>(_: Value.Type) -> Addition<Value>? {
        for addition in all where type(of: addition) == Addition<Value>.self {
            return unsafeDowncast(addition, to: Addition<Value>.self)
        }
        return nil
    }

    /// What a fork begins with.
    var forked: Additions { Additions(all: all.compactMap(\.forked)) }

    /// Removes what goes with the registrations, or with the container too; whoever calls it releases that without the
    /// lock.
    mutating func remove(_ isMeant: (AdditionLifetime) -> Bool) -> [AnyAddition] {
        if all.isEmpty { return [] }
        let removed = all.filter { isMeant($0.lifetime) }
        all.removeAll { isMeant($0.lifetime) }
        return removed
    }
}
