// What tests need to know of a container: whether a registration was used and by whom, what keeps the container alive,
// and what a reset drops.

import Depin
import Testing

/// A registration or a decorator, as the words of a test name it.
struct ObservedRegistration: Sendable {
    /// Tells it from all others.
    let number: UInt
    /// The key that was chosen.
    let request: ResolutionError.Request
    /// Where it was registered.
    let place: CodePlace
    /// True for a decorator of what is registered.
    var isDecorator = false

    /// A stable order, so that messages are the same in every run.
    fileprivate var order: (String, Int, String) { (place.file, place.line, "\(request)") }
}

extension Container {
    /// The registration that keeps a container alive: an instance of it, or else its factory or a callback.
    typealias Holder = (request: ResolutionError.Request, place: CodePlace, isInstance: Bool)

    /// What keeps a container alive that nobody is to hold any more: one of its own registrations.
    ///
    /// It takes the registrations away, the last one first, until the container is gone.
    static func holder(of container: () -> Container?) -> Holder? {
        var entries = container()?.engine.registry.remove() ?? []
        entries.sort { $0.registration.number < $1.registration.number }
        func holder(_ slot: Slot) -> Holder {
            (ResolutionError.Request(slot.registration.key), slot.registration.place, false)
        }
        while var holder = entries.last.map(holder) {
            dropInstance(of: entries)
            holder.isInstance = container() == nil
            // One that is found by further types is there several times.
            entries.removeLast()
            if container() == nil { return holder }
        }
        return nil
    }

    /// In a function of its own, which holds the last entry no longer than it runs.
    private static func dropInstance(of slots: [Slot]) {
        withExtendedLifetime(slots.last?.detach()) {}
    }

    /// Drops the instances that scopes keep, here and in the parents.
    ///
    /// A singleton may hold a child of its container, a session's for one, and the child holds the container.
    func dropInstances() {
        engine.resetChain()
    }

    /// The registrations and decorators of this container and of its parents.
    ///
    /// One that is found by further types is there several times, and its own comes first.
    var observable: [ObservedRegistration] {
        let slots = engine.chain.flatMap(\.registry.slots)
        let named = slots.filter { $0.key == $0.registration.key } + slots
        let registrations = named.map { slot in
            ObservedRegistration(
                number: slot.registration.number,
                request: ResolutionError.Request(slot.key),
                place: slot.registration.place
            )
        }
        let decorators = engine.chain.flatMap(\.decorators).map { decorator in
            ObservedRegistration(
                number: decorator.number,
                request: ResolutionError.Request(decorator.key),
                place: decorator.place,
                isDecorator: true
            )
        }
        return registrations + decorators
    }

    /// Has a closure told whenever one of the registrations and decorators is used that are chosen here.
    ///
    /// It works on a fork of its own. A registered instance counts as used when it is first requested, all
    /// else when a factory is about to run. The path ends with the registration itself; the closure runs on
    /// the thread that resolves.
    ///
    /// - Returns: What is chosen, each once, in the order of their places.
    @discardableResult
    func observe(
        where isChosen: (ObservedRegistration) -> Bool,
        report: @escaping @Sendable (ObservedRegistration, _ path: [ResolutionError.Step]) -> Void
    ) -> [ObservedRegistration] {
        var known: Set<UInt> = []
        let chosen = observable.filter { isChosen($0) && known.insert($0.number).inserted }
            .sorted { $0.order < $1.order }
        observe(by: UseObserver(chosen, report))
        return chosen
    }

    /// Lets someone observe this container and its parents.
    func observe(by observer: any EngineObserver) {
        for engine in engine.chain { engine.observe(by: observer) }
    }

    /// Ends it.
    func endObserving(by observer: any EngineObserver) {
        for engine in engine.chain { engine.endObserving(by: observer) }
    }
}

/// Reports when a chosen registration or decorator is used.
private final class UseObserver: EngineObserver {
    /// By their numbers.
    private let chosen: [UInt: ObservedRegistration]
    private let report: @Sendable (ObservedRegistration, [ResolutionError.Step]) -> Void

    init(
        _ chosen: [ObservedRegistration],
        _ report: @escaping @Sendable (ObservedRegistration, [ResolutionError.Step]) -> Void
    ) {
        self.chosen = Dictionary(uniqueKeysWithValues: chosen.map { ($0.number, $0) })
        self.report = report
    }

    func requested(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) {
        guard let made = observation.found?.registration, made.traits.contains(.isInstance),
            let registration = chosen[made.number]
        else { return }
        report(registration, path.forError + [ResolutionError.Step(made, request.forError)])
    }

    func willMake(_ registration: Registration, for request: Engine.Request, _ path: Path) {
        let decorators = path?.pointee.decorators ?? []
        let numbers = [registration.number] + decorators.map(\.number)
        for registration in numbers.compactMap({ chosen[$0] }) {
            report(registration, path.forError)
        }
    }
}

/// Notes whose instances a reset of the container drops that were to be closed.
///
/// Forks and children that are made meanwhile go on for as long as they live.
final class DropObserver: EngineObserver {
    let drops = Guarded<[Comment]>([])

    func willReset(_ scope: any ObjectScopeProtocol, serviceType: Any.Type?, of engine: Engine) {
        // A child may forward to it, too.
        var shown = RareSet<UInt>()
        for found in engine.chain.flatMap({ $0.keptSlots(of: serviceType) }) {
            let registration = found.registration
            guard registration.objectScope === scope, registration.traits.contains(.hasClosers),
                found.holder.hasShared(in: found.slot), shown.insert(registration.number)
            else { continue }
            let request = ResolutionError.Request(registration.key)
            // Worded outside of the lock: names of types are looked up under another one.
            let comment = Comment.dropped(request, registration.place)
            drops.withLock { $0.append(comment) }
        }
    }
}
