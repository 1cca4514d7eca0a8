// What tests need to know about a container: which registrations were used and by what, what keeps the container alive,
// and what a reset drops.

import Depin
import Testing

/// A registration or a decorator, for the messages of tests.
struct ObservedRegistration: Sendable {
    /// The number of the registration or the decorator.
    let number: UInt
    /// The chosen key.
    let request: ResolutionError.Request
    /// Where it was registered.
    let place: CodePlace
    /// True for a decorator.
    var isDecorator = false

    /// A stable order, so that messages are the same in every run.
    fileprivate var order: (String, Int, String) { (place.file, place.line, "\(request)") }
}

extension Container {
    /// A registration that keeps a container alive: through an instance, or else through its factory or a callback.
    typealias Holder = (request: ResolutionError.Request, place: CodePlace, isInstance: Bool)

    /// The registration that keeps a container alive which nothing should hold any more.
    ///
    /// It removes registrations, the last one first, until the container is gone.
    static func holder(of engine: () -> Engine?) -> Holder? {
        var entries = engine()?.registry.remove() ?? []
        func isGone() -> Bool { engine()?.hasOwner != true }
        entries.sort { $0.registration.number < $1.registration.number }
        func holder(_ slot: Slot) -> Holder {
            (ResolutionError.Request(slot.registration.key), slot.registration.place, false)
        }
        while var holder = entries.last.map(holder) {
            dropInstance(of: entries)
            let traits = entries.last?.registration.traits ?? []
            // Nothing drops a registered instance but the registration, whose closers may capture the container, too.
            let isInstance =
                traits.contains(.isInstance)
                && traits.isDisjoint(with: [.hasCallbacks, .hasClosers])
            holder.isInstance = isInstance || isGone()
            // A registration with further types is there several times.
            entries.removeLast()
            if isGone() { return holder }
        }
        return nil
    }

    /// A function of its own, which holds the last entry no longer than it runs.
    private static func dropInstance(of slots: [Slot]) {
        withExtendedLifetime(slots.last?.dropAll()) {}
    }

    /// The registrations and decorators of this container and its parents.
    ///
    /// A registration with further types is there several times, with its own key first.
    var observable: [ObservedRegistration] {
        let slots = engine.chain.flatMap { $0.registry.inOrder() }
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

    /// Tells a closure whenever one of the chosen registrations and decorators is used.
    ///
    /// It observes a fork. A registered instance counts as used when it is first requested, every other registration
    /// when its factory is about to run. The path ends with the registration itself. The closure runs on the resolving
    /// thread.
    ///
    /// - Returns: The chosen ones, each once, in the order of their places.
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

    /// Has an observer observe this container and its parents.
    func observe(by observer: any EngineObserver) {
        for engine in engine.chain { engine.observe(by: observer) }
    }

    /// Ends that.
    func endObserving(by observer: any EngineObserver) {
        for engine in engine.chain { engine.endObserving(by: observer) }
    }
}

/// Reports when a chosen registration or decorator is used.
private final class UseObserver: EngineObserver {
    /// The chosen ones by number.
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

/// Notes the registrations whose instances a reset drops although they have closers.
///
/// It goes on in the forks and children that are made meanwhile, as long as they live.
final class DropObserver: EngineObserver {
    /// The warnings by the numbers of the registrations: one for each, however many containers forward to it.
    private let drops = Guarded<[UInt: Comment]>([:])

    func willDropInstances(of registration: Registration) {
        guard registration.traits.contains(.hasClosers) else { return }
        let request = ResolutionError.Request(registration.key)
        // Outside of the lock, because names of types are looked up under another one.
        let comment = Comment.dropped(request, registration.place)
        drops.withLock { $0[registration.number] = comment }
    }

    /// The warnings in the order of registration.
    var warnings: [Comment] {
        drops.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
    }
}
