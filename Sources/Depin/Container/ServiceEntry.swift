/// A registration, which you configure after ``Container/register(_:factory:file:line:)``.
///
/// ```swift
/// container.register(Cat.self) { resolver in Cat(food: resolver ~> Food.self) }
///     .inObjectScope(.container)
///     .implements(Animal.self)
///     .initCompleted { resolver, cat in cat.owner = resolver ~> Owner.self }
/// ```
///
/// You may configure it from any thread. A change takes effect with the next resolution.
public final class ServiceEntry<Service>: Sendable {
    let slot: Slot
    /// The container that holds the registration.
    let engine: Engine
    /// What the registration has replaced, for ``asDefault()``: it goes when nobody can call for it any more.
    private let replaced: Guarded<[ReplacedSlot]>

    init(_ slot: Slot, in engine: Engine, _ replaced: ReplacedSlot?) {
        self.slot = slot
        self.engine = engine
        self.replaced = Guarded(replaced.map { [$0] } ?? [])
    }

    /// The type that was registered.
    public var serviceType: Any.Type { slot.registration.serviceType }

    /// The types of the factory's parameters: `Resolver`, or a tuple that begins with it.
    public var argumentsType: Any.Type { slot.registration.argumentsType }

    /// The scope in force.
    ///
    /// Change it with ``inObjectScope(_:)-(ObjectScope)``.
    public var objectScope: any ObjectScopeProtocol { slot.registration.objectScope }

    func note(_ replaced: ReplacedSlot?) {
        guard let replaced else { return }
        self.replaced.withLock { $0.append(replaced) }
    }

    func takeReplaced() -> [ReplacedSlot] {
        replaced.withLock { replaced in
            defer { replaced = [] }
            return replaced
        }
    }
}
