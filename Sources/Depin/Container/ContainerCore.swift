import Synchronization

/// What a container is inside, and the resolver that its factories are handed.
///
/// It holds no container, so a product that keeps its resolver does not keep the container. When that
/// goes it empties the registry, which ends whatever cycles lead through instances and factories.
@usableFromInline
final class ContainerCore: Sendable {
    @usableFromInline let registry = Registry()
    /// Names the core for ever, as an address does not.
    let serial = Serial()
    @usableFromInline let parent: ContainerCore?
    /// Not zero where the short way past an instance that is ready must not be taken.
    @usableFromInline let detours = Atomic<UInt8>(0)
    let defaultScope: any ObjectScopeProtocol & Sendable
    /// The containers of which this one is a fork, in whose place it stands in its resolutions.
    let originals: [ContainerCore]
    // Set once, before anyone else sees the core; the runtime guards reading against the end.
    private nonisolated(unsafe) weak var facade: Container?

    /// What no resolution needs; made when there is something to note.
    // Not an `AtomicLazyReference`: in debug its code lies in a library that ThreadSanitizer does not
    // see into, and so it reports a race.
    let notesAddress = Atomic<UInt>(0)

    static let hasForks: UInt8 = 1
    static let isClosed: UInt8 = 2
    static let isWatched: UInt8 = 4

    init(
        parent: ContainerCore?,
        defaultScope: any ObjectScopeProtocol & Sendable,
        originals: [ContainerCore] = []
    ) {
        self.parent = parent
        self.defaultScope = defaultScope
        self.originals = originals
    }

    deinit {
        if let notes = UnsafeRawPointer(bitPattern: notesAddress.load(ordering: .acquiring)) {
            Unmanaged<CoreNotes>.fromOpaque(notes).release()
        }
    }

    var container: Container? { facade }
    var isGone: Bool { detours.load(ordering: .sequentiallyConsistent) & Self.isClosed != 0 }

    func open(for container: Container) {
        facade = container
        Family.shared.add(container)
    }

    /// Drops everything: the container is gone.
    func close() {
        detours.bitwiseOr(Self.isClosed, ordering: .sequentiallyConsistent)
        Family.shared.remove(self)
        if notes != nil {
            setInterceptor(nil)
        }
        empty()
    }

    func empty() {
        // What forwards to a container that is still there is that one's.
        for entry in registry.removeAll() where entry.sink === self || entry.sink.isGone {
            withExtendedLifetime(entry.close()) {}
        }
    }

    // MARK: - The short way

    // A key is made of `Service`, never of the metatype that was handed over: a variable for metatypes
    // of a class may hold a subclass's, but what is found is a `Service`.

    /// The service of a type, or nil where none is registered: through a lock, past everything else,
    /// when its instance is ready.
    @inlinable
    func service<Service>(of serviceType: Service.Type) throws -> Service? {
        let type = ObjectIdentifier(Service.self)
        guard detours.load(ordering: .relaxed) == 0,
            let slot = registry.slot(of: type) ?? inheritedSlot(of: type)
        else { return try findSlowly(serviceType, name: nil, nil) }
        return try service(in: slot) {
            try construct($0)
        } otherwise: {
            try findSlowly(serviceType, name: nil, nil)
        }
    }

    /// The same for a name.
    @inlinable
    func service<Service>(of serviceType: Service.Type, name: String?) throws -> Service? {
        guard detours.load(ordering: .relaxed) == 0,
            let slot = registry.slot(of: Service.self, tuple: nil, name: name)
        else { return try findSlowly(serviceType, name: name, nil) }
        return try service(in: slot) {
            try construct($0)
        } otherwise: {
            try findSlowly(serviceType, name: name, nil)
        }
    }

    /// The same with arguments.
    ///
    /// PERF: they stay on the stack; an object for them is made only where the graph or the search
    /// for cycles asks for one. It took a quarter of the time of a transient service.
    @inlinable
    func service<Service, each Argument>(
        of serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service? {
        let tuple = (any Resolver, repeat each Argument).self
        guard detours.load(ordering: .relaxed) == 0,
            let slot = registry.slot(of: Service.self, tuple: tuple, name: name)
        else { return try findSlowly(serviceType, name: name, ArgumentPack(repeat each arguments)) }
        return try service(in: slot) { entry in
            guard case .taking(let factory) = entry.factory,
                type(of: factory) == PackFactory<Service, repeat each Argument>.self
            else {
                return try findSlowly(serviceType, name: name, ArgumentPack(repeat each arguments))
            }
            let lent = (repeat each arguments)
            return try withUnsafePointer(to: lent) { lent in
                var frame = Frame(entry, entry.currentTraits, asked: self)
                frame.lentArguments = (
                    UnsafeRawPointer(lent), ArgumentPack<repeat each Argument>.self
                )
                return try construct(entry, &frame) { resolver in
                    try unsafeDowncast(
                        factory,
                        to: PackFactory<Service, repeat each Argument>.self
                    ).body(resolver, repeat each arguments)
                }
            }
        } otherwise: {
            try findSlowly(serviceType, name: name, ArgumentPack(repeat each arguments))
        }
    }

    /// The box of a type's shared instance, when that is ready.
    @inlinable
    func readyBox<Service>(_: Service.Type) -> Box<Service>? {
        let type = ObjectIdentifier(Service.self)
        guard detours.load(ordering: .relaxed) == 0,
            let slot = registry.slot(of: type) ?? inheritedSlot(of: type)
        else { return nil }
        let lock = Lock.lockedForReading(slot, registry.locks)
        defer { lock.unlock() }
        return slot.pointee.ready.map {
            unsafeDowncast($0.takeUnretainedValue(), to: Box<Service>.self)
        }
    }

    /// The slot of a type in the nearest parent that knows it.
    @usableFromInline
    func inheritedSlot(of type: ObjectIdentifier) -> Registry.SlotPointer? {
        guard let parent else { return nil }
        return parent.registry.slot(of: type) ?? parent.inheritedSlot(of: type)
    }

    /// What a slot has for those who ask for its own type.
    ///
    /// - Parameters:
    ///   - slot: The slot of a key whose type is `Service`, here or in a parent.
    ///   - build: Makes the service of a registration of the very type that keeps nothing outside a
    ///     graph.
    ///   - otherwise: The general way.
    /// - Returns: The service, or nil where none is registered.
    @inlinable
    @inline(__always)
    func service<Service>(
        in slot: Registry.SlotPointer,
        build: (ServiceEntry<Service>) throws -> Service?,
        otherwise: () throws -> Service?
    ) rethrows -> Service? {
        let absence = slot.pointee.absence.load(ordering: .acquiring)
        // A parent may have what is absent here.
        if absence & Registry.Absence.holds != 0, parent == nil {
            guard let derived = Registry.Absence.of(absence) else { return nil }
            if let none: Service = none(of: derived) { return none }
            return try otherwise()
        }
        let lock = Lock.lockedForReading(slot, registry.locks)
        if let ready = slot.pointee.ready {
            defer { lock.unlock() }
            // PERF: copying out without retaining the box saves 12 of 42 ns, and copying it at once to
            // where the caller wants it, which a closure would not do, another one or two. The slot is
            // of the key's type, so its box is too.
            return Unmanaged<Box<Service>>.fromOpaque(ready.toOpaque())
                ._withUnsafeGuaranteedRef { $0.value }
        }
        // Retained by hand, for the compiler would do it twice.
        let found = slot.pointee.entry?.retain()
        lock.unlock()
        guard let found else { return try otherwise() }
        defer { found.release() }
        return try found._withUnsafeGuaranteedRef { found in
            guard found.key.serviceType == Service.self, found.isUnshared else {
                return try otherwise()
            }
            return try build(unsafeDowncast(found, to: ServiceEntry<Service>.self))
        }
    }

    /// What an optional without a registration gives while what it wraps has none.
    @inlinable
    @inline(__always)
    func none<Service>(of absence: Unmanaged<Registry.Absence>) -> Service? {
        absence._withUnsafeGuaranteedRef { absence in
            let wrapped = absence.wrapped.pointee.absence.load(ordering: .acquiring)
            guard wrapped & Registry.Absence.holds != 0 else { return nil }
            return unsafeDowncast(absence.none, to: Box<Service>.self).value
        }
    }

    // MARK: - Building what is not shared

    @inlinable
    func construct<Service>(_ entry: ServiceEntry<Service>) throws -> Service {
        var frame = Frame(entry, entry.currentTraits, asked: self)
        return try construct(entry, &frame) { try entry.factory.make($0) }
    }

    /// Builds an instance that is kept in the graph, or nowhere.
    @inlinable
    @inline(__always)
    func construct<Service>(
        _ entry: ServiceEntry<Service>,
        _ frame: Resolution.FramePointer,
        _ make: (ContainerCore) throws -> Service
    ) throws -> Service {
        if let known = try Resolution.enter(frame) {
            return known.assumingMemoryBound(to: Service.self).pointee
        }
        let made: Service
        do {
            made = try make(self)
        } catch {
            throw Resolution.failure(frame, error)
        }
        if frame.pointee.traits.isBare || Resolution.isAlone(frame) {
            Resolution.leave(frame)
            return made
        }
        return finish(frame, entry, made)
    }

    /// Keeps a new instance in the graph, runs its callbacks, and goes the step back.
    @inlinable
    func finish<Service>(
        _ frame: Resolution.FramePointer,
        _ entry: ServiceEntry<Service>,
        _ made: Service
    ) -> Service {
        defer { Resolution.leave(frame) }
        if frame.pointee.traits.kind == .graph {
            // A cycle may have stored one meanwhile. The first wins.
            let (place, isNew) = Resolution.beginKeeping(
                frame,
                Service.self,
                size: MemoryLayout<Service>.size,
                alignment: MemoryLayout<Service>.alignment
            )
            guard isNew else { return place.assumingMemoryBound(to: Service.self).pointee }
            place.initializeMemory(as: Service.self, to: made)
            Resolution.endKeeping(frame)
        }
        if frame.pointee.traits.hasCallbacks {
            complete(frame, entry, made)
        }
        return made
    }

    /// Runs the callbacks of an instance that is kept.
    @usableFromInline
    func complete<Service>(
        _ frame: Resolution.FramePointer,
        _ entry: ServiceEntry<Service>,
        _ made: Service
    ) {
        frame.pointee.isCompleting = true
        entry.callbacks?.run(self, made)
    }
}

extension AnyServiceEntry {
    /// True for the scopes that keep nothing outside a graph.
    @inlinable
    var isUnshared: Bool {
        currentTraits.rawValue & Traits.kindMask <= ScopeKind.graph.rawValue
    }
}
