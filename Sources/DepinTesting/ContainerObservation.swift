// What tests need to know of a container: whether a registration was used, by whom, and what it made.

import Depin

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
}

/// What keeps a container alive.
struct ContainerKeeper: Sendable {
    /// The registration.
    let request: ResolutionError.Request
    let place: CodePlace
    /// True where an instance of it holds the container, false where its factory or a callback does.
    fileprivate(set) var isInstance = false

    fileprivate init(_ registration: Registration) {
        request = ResolutionError.Request(registration.key)
        place = registration.place
    }
}

extension Container {
    /// What keeps a container alive that nobody is to hold any more: one of its own registrations.
    ///
    /// It takes the registrations away, the last one first, until the container is gone.
    static func keeper(of container: () -> Container?) -> ContainerKeeper? {
        var entries = container()?.engine.registry.remove() ?? []
        entries.sort { $0.registration.number < $1.registration.number }
        while var keeper = entries.last.map({ ContainerKeeper($0.registration) }) {
            dropInstance(of: entries)
            keeper.isInstance = container() == nil
            // One that is found by further types is there several times.
            entries.removeLast()
            if container() == nil { return keeper }
        }
        return nil
    }

    /// In a function of its own, which holds the last entry no longer than it runs.
    private static func dropInstance(of slots: [Slot]) {
        withExtendedLifetime(slots.last?.detach()) {}
    }

    /// The numbers of the registrations and decorators of this container and of its parents.
    var registrationNumbers: Set<UInt> {
        Set(
            engine.chain.flatMap { engine in
                engine.registry.slots.map(\.registration.number) + engine.decorators.map(\.number)
            }
        )
    }

    /// Drops the instances that scopes keep, here and in the parents.
    ///
    /// A singleton may hold a child of its container, a session's for one, and the child holds the container.
    func dropInstances() {
        engine.resetChain()
    }

    /// Has a closure told whenever what was registered since is used: all but these numbers.
    ///
    /// It works on a fork of its own. A registered instance counts as used when it is first requested, all
    /// else when a factory is about to run. The path ends with the registration itself; the closure runs on
    /// the thread that resolves.
    ///
    /// - Returns: The registrations in the order of their places, and then the decorators.
    func observe(
        since numbers: Set<UInt>,
        report: @escaping @Sendable (ObservedRegistration, _ path: [ResolutionError.Step]) -> Void
    ) -> [ObservedRegistration] {
        let decorators = engine.chain.flatMap(\.decorators)
            .filter { !numbers.contains($0.number) }
            .sorted { $0.number < $1.number }
        return observe(where: { !numbers.contains($1.number) }, decorators, report)
    }

    /// The same for the registrations of a type, of one name or of all.
    func observe(
        _ serviceType: Any.Type,
        name: String?,
        report: @escaping @Sendable (ObservedRegistration, _ path: [ResolutionError.Step]) -> Void
    ) {
        _ = observe(
            where: { key, _ in
                key.serviceType == serviceType && (name == nil || key.name == name)
            },
            [],
            report
        )
    }

    private func observe(
        where isObserved: (ServiceKey, Registration) -> Bool,
        _ decorators: [Decorator],
        _ report: @escaping @Sendable (ObservedRegistration, _ path: [ResolutionError.Step]) -> Void
    ) -> [ObservedRegistration] {
        let slots = engine.chain.flatMap(\.registry.slots)
            .filter { isObserved($0.key, $0.registration) }
        // One that is found by further types is there several times, and its own type names it.
        let named = slots.filter { $0.key == $0.registration.key } + slots
        var known: Set<UInt> = []
        var observed = named.filter { known.insert($0.registration.number).inserted }
            .sorted { $0.registration.order < $1.registration.order }
            .map { slot in
                ObservedRegistration(
                    number: slot.registration.number,
                    request: ResolutionError.Request(slot.key),
                    place: slot.registration.place
                )
            }
        // One that is added to several containers has one number.
        observed += decorators.filter { known.insert($0.number).inserted }.map { decorator in
            let key = ServiceKey(decorator.serviceType, name: decorator.name)
            return ObservedRegistration(
                number: decorator.number,
                request: ResolutionError.Request(key),
                place: decorator.place,
                isDecorator: true
            )
        }
        let observer = UseObserver(observed, report)
        for engine in engine.chain { engine.observe(by: observer) }
        return observed
    }

    /// Tells a closure of registrations with closers whose instances a reset of this container drops while a
    /// body runs.
    ///
    /// Forks and children that are made in the body go on for as long as they live.
    func showingDrops<Result>(
        to show: @escaping @Sendable (ResolutionError.Request, CodePlace) -> Void,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let observer = DropObserver(show)
        engine.observe(by: observer)
        defer { engine.endObserving(by: observer) }
        return try await body()
    }

    /// Shows a closure what this container and its parents build while a body runs, unless it is kept
    /// by a scope, or was built for what is.
    ///
    /// Forks and children that are made in the body go on for as long as they live. Other threads' builds
    /// are shown too; the closure runs on the thread that builds, under no lock.
    package func showingProducts<Result>(
        to show: @escaping @Sendable (Any, CodePlace) -> Void,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let observer = ProductObserver(show)
        for engine in engine.chain { engine.observe(by: observer) }
        defer { for engine in engine.chain { engine.endObserving(by: observer) } }
        return try await body()
    }

    /// The same for a synchronous body.
    package func showingProducts<Result>(
        to show: @escaping @Sendable (Any, CodePlace) -> Void,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let observer = ProductObserver(show)
        for engine in engine.chain { engine.observe(by: observer) }
        defer { for engine in engine.chain { engine.endObserving(by: observer) } }
        return try body()
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

    func requested(_ request: Engine.Request, of asked: Engine, _ found: Found?, _ path: Path) {
        guard let made = found?.registration, made.traits.contains(.isInstance),
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

/// Shows whose instances are dropped that were to be closed.
private final class DropObserver: EngineObserver {
    private let show: @Sendable (ResolutionError.Request, CodePlace) -> Void

    init(_ show: @escaping @Sendable (ResolutionError.Request, CodePlace) -> Void) {
        self.show = show
    }

    func willReset(
        _ scope: any ObjectScopeProtocol,
        serviceType: Any.Type?,
        of engine: Engine
    ) {
        // A child may forward to it, too.
        var shown = RareSet<UInt>()
        for (holder, slot, keys) in engine.chain.flatMap({ $0.keptSlots() })
        where slot.registration.objectScope === scope
            && slot.registration.traits.contains(.hasClosers)
            && (serviceType == nil || keys.contains { $0.serviceType == serviceType })
            && holder.hasShared(in: slot) && shown.insert(slot.registration.number)
        {
            show(ResolutionError.Request(slot.registration.key), slot.registration.place)
        }
    }
}

/// Shows what is built, and not for what is kept.
private final class ProductObserver: EngineObserver {
    private let show: @Sendable (Any, CodePlace) -> Void

    init(_ show: @escaping @Sendable (Any, CodePlace) -> Void) {
        self.show = show
    }

    func made(_ box: AnyBox, by registration: Registration, _ path: Path) {
        let isForKept = path.steps.contains { step in
            step.pointee.registration.map { ScopeKind(of: $0.objectScope).keeps } ?? false
        }
        if !isForKept { show(box.anyValue, registration.place) }
    }
}

extension Registration {
    /// A stable order, so that messages are the same in every run.
    fileprivate final var order: (String, Int, String, String) {
        (place.file, place.line, readableName(of: serviceType), key.name ?? "")
    }
}
