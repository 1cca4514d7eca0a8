/// What the reference knows of a container: plain tables.
final class ReferenceContainer {
    /// One registration in one container.
    final class Registration {
        /// The same in a fork.
        let number: Int
        let service: Int
        let recipe: Program.Recipe
        /// Another has taken its place, or none.
        var isRemoved = false

        init(_ number: Int, _ service: Int, _ recipe: Program.Recipe) {
            (self.number, self.service, self.recipe) = (number, service, recipe)
        }
    }

    /// Where a container has the instance of a registration.
    struct SlotKey: Hashable {
        let registration: ObjectIdentifier
        let argument: Int?
    }

    struct Slot {
        let registration: Registration
        let kept: ReferenceReference
        /// When it was kept, counted in operations.
        let time: Int
    }

    /// The place's number; nil where the program has no place for it, as for the parents of a fork.
    var number: Int?
    let parent: ReferenceContainer?
    /// The scope that it is open for.
    let opened: Program.Scope?
    var isFork = false
    /// Held by nobody but what was made in it.
    var isTemporary = false
    /// Builds nothing more.
    private(set) var isClosing = false
    private(set) var isClosed = false
    /// Nobody holds it any more.
    private(set) var isGone = false
    private(set) var registrations: [Int: Registration] = [:]
    private(set) var contributions: [Registration] = []
    private(set) var decorations: [(service: Int, decoration: Program.Decoration)] = []
    var slots: [SlotKey: Slot] = [:]
    private(set) var resetCounts: [Program.Scope: Int] = [:]
    /// What a decorator of this container has made of another container's instance.
    private var wrappings:
        [ObjectIdentifier: (inner: ReferenceReference, outer: ReferenceReference)] = [:]
    /// Unshared instances that close with the container.
    var unshared: [ReferenceInstance] = []
    private(set) var children: [ReferenceContainer] = []
    private(set) var forks: [ReferenceContainer] = []

    init(_ number: Int?, parent: ReferenceContainer? = nil, opened: Program.Scope? = nil) {
        (self.number, self.parent, self.opened) = (number, parent, opened)
        isClosing = parent?.isClosing ?? false
        parent?.children.append(self)
    }

    /// From this one to the outermost parent.
    var chain: [ReferenceContainer] { [self] + (parent?.chain ?? []) }

    /// The open containers inside this one.
    var inside: [ReferenceContainer] {
        children.filter { !$0.isClosed && !$0.isClosing }.flatMap { [$0] + $0.inside }
    }

    func find(_ service: Int) -> (registration: Registration, holder: ReferenceContainer)? {
        if let registration = registrations[service] { return (registration, self) }
        return parent?.find(service)
    }

    /// What a warm-up makes, in the order of registration.
    var eager: [Registration] {
        registrations.values.filter { $0.recipe.isEager && !$0.recipe.takesArgument }
            .sorted { $0.number < $1.number }
    }

    func openScope(_ scope: Program.Scope) -> ReferenceContainer? {
        chain.first { $0.opened == scope }
    }

    /// The decorators that this container has for a service.
    func decorations(of service: Int) -> [Program.Decoration] {
        decorations.filter { $0.service == service }.map(\.decoration)
    }

    /// Whether only a task can have what is registered here made.
    func takesTime(_ registration: Registration) -> Bool {
        registration.recipe.isAsync
            || decorations(of: registration.service).contains(where: \.isAsync)
    }

    func wrapping(of inner: ReferenceInstance) -> ReferenceInstance? {
        guard let known = wrappings[ObjectIdentifier(inner)], known.inner.instance === inner else {
            return nil
        }
        return known.outer.instance
    }

    /// The same around what another container has made of it.
    func wrapping(ofAnythingAround inner: ReferenceInstance) -> ReferenceInstance? {
        wrappings.values.first { $0.inner.instance?.innermost === inner.innermost }?.outer.instance
    }

    func keep(_ outer: ReferenceInstance, around inner: ReferenceInstance, isWeak: Bool) {
        wrappings[ObjectIdentifier(inner)] = (
            ReferenceReference(inner, isWeak: isWeak), ReferenceReference(outer, isWeak: isWeak)
        )
    }

    // MARK: - Changes

    /// Gives back what open scopes had of the registration before.
    @discardableResult
    func register(_ registration: Registration) -> [ReferenceInstance] {
        let dropped = unregister(registration.service)
        registrations[registration.service] = registration
        return dropped
    }

    func unregister(_ service: Int) -> [ReferenceInstance] {
        guard let old = registrations.removeValue(forKey: service) else { return [] }
        old.isRemoved = true
        return forget(old)
    }

    private func forget(_ registration: Registration) -> [ReferenceInstance] {
        var dropped: [ReferenceInstance] = []
        for (key, slot) in slots where slot.registration === registration {
            guard opened != nil else {
                slots[key] = nil
                continue
            }
            // An open scope keeps what nobody finds any more.
            if let instance = slot.kept.instance { dropped.append(instance) }
        }
        return dropped + children.flatMap { $0.forget(registration) }
    }

    func contribute(_ registration: Registration) { contributions.append(registration) }

    func decorate(_ service: Int, _ decoration: Program.Decoration) {
        decorations.append((service, decoration))
    }

    func reset(_ scope: Program.Scope) {
        resetCounts[scope, default: 0] += 1
        for (key, slot) in slots where slot.registration.recipe.scope == scope {
            slots[key] = nil
        }
        parent?.reset(scope)
    }

    /// The same registrations, with nothing built.
    func fork(_ number: Int?, isTemporary: Bool = false) -> ReferenceContainer {
        let fork = ReferenceContainer(
            number,
            parent: parent?.fork(nil, isTemporary: isTemporary),
            opened: opened
        )
        fork.isFork = true
        fork.isTemporary = isTemporary
        fork.registrations = registrations.mapValues {
            Registration($0.number, $0.service, $0.recipe)
        }
        fork.contributions = contributions.map { Registration($0.number, $0.service, $0.recipe) }
        fork.decorations = decorations
        forks.append(fork)
        return fork
    }

    func beginClosing() {
        isClosing = true
        for child in children { child.beginClosing() }
    }

    /// What closes with it that is kept for good.
    var closing: [ReferenceInstance] {
        slots.values.filter {
            $0.registration.recipe.closes && $0.registration.recipe.scope != .weak
        }
        .compactMap { $0.kept.instance?.innermost } + unshared
            + (parent.map { $0.isTemporary ? $0.closing : [] } ?? [])
    }

    /// The same with what is inside of it, and around it of a fork.
    var closingInside: [ReferenceInstance] {
        closing + children.flatMap(\.closingInside)
    }

    /// What closes with it if it is still there.
    var closingWeak: [ReferenceInstance] {
        slots.values.filter {
            $0.registration.recipe.closes && $0.registration.recipe.scope == .weak
        }
        .compactMap { $0.kept.instance?.innermost }
            + (parent.map { $0.isTemporary ? $0.closingWeak : [] } ?? [])
    }

    /// Closes this container and those inside it, and gives back the instances that close.
    func close(withForks: Bool) -> [(instance: ReferenceInstance, isWeak: Bool)] {
        guard !isClosed else { return [] }
        var closing: [(instance: ReferenceInstance, isWeak: Bool)] = []
        for child in children { closing += child.close(withForks: withForks) }
        if withForks { for fork in forks { closing += fork.close(withForks: true) } }
        for slot in slots.values where slot.registration.recipe.closes {
            guard let instance = slot.kept.instance?.innermost else { continue }
            closing.append((instance, slot.registration.recipe.scope == .weak))
        }
        closing += unshared.map { ($0, false) }
        isClosed = true
        (slots, wrappings, unshared) = ([:], [:], [])
        return closing
    }

    /// Goes without being closed.
    func leave() {
        isGone = true
        number = nil
        parent?.children.removeAll { $0 === self }
        dissolve()
    }

    /// Unties what refers to each other.
    func dissolve() {
        let inside = children + forks
        (children, forks, slots, wrappings, unshared) = ([], [], [:], [:], [])
        for container in inside { container.dissolve() }
    }
}
