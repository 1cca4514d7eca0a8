import Synchronization

/// What is known of a core besides what its resolutions need.
final class CoreNotes: @unchecked Sendable {  // Its lock guards it.
    /// A registration that replaced another one in the same container.
    struct Overwrite {
        /// The serial number of the registration that replaced.
        let entry: UInt
        let place: CodePlace
        let replaced: CodePlace
        /// True when the replaced registration had given out an instance that it shared.
        let wasHandedOut: Bool
        /// True when the registration says that it overrides.
        var isMeant = false
    }

    /// A key as the registry has it, which has one for all that are equal.
    ///
    /// What compares options, and their `deinit`, is the user's code, which must not run under the
    /// lock. So these are compared by where the registry's option lies, and the registry keeps it.
    struct Key: Hashable {
        private let key: ServiceKey

        init(_ key: ServiceKey, in registry: Registry) {
            self.key = registry.slot(of: key)?.pointee.key ?? key
        }

        static func == (left: Key, right: Key) -> Bool {
            let (left, right) = (left.key, right.key)
            guard left.serviceType == right.serviceType, left.tupleType == right.tupleType else {
                return false
            }
            return left.label === right.label
                || left.name == right.name
                    && left.label?.hasOption != true && right.label?.hasOption != true
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(key.bits)
        }

        func matches(_ condition: (ServiceKey) -> Bool) -> Bool { condition(key) }
    }

    /// A registration, by the container that holds it and its key.
    struct Registration: Hashable {
        let core: ObjectIdentifier
        let key: Key
    }

    /// A need of one registration for another that a resolution has shown.
    struct Need: Hashable {
        let from: Registration
        let to: Registration
        let deferral: Deferral
        /// True where a callback asked, after the factory.
        let isCompleting: Bool
    }

    /// How many overwrites of one key are remembered: one that is registered anew all the time is no
    /// reason to grow.
    static let limit = 8

    struct State {
        var overwrites: [Key: [Overwrite]] = [:]
        /// Registrations that say that they override and have replaced nothing.
        var idleOverrides: [Key: CodePlace] = [:]
        var needs: Set<Need> = []
        var interceptor: Interceptor?
    }

    private let lock = Lock()
    private var state = State()  // guarded by lock

    deinit {
        lock.destroy()
    }

    /// All of it, as it is now.
    var known: State {
        withState {
            State(
                overwrites: $0.overwrites.mapValues(\.copied),
                idleOverrides: $0.idleOverrides.copied,
                needs: $0.needs.copied,
                interceptor: $0.interceptor
            )
        }
    }

    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }
}

extension ContainerCore {
    /// The notes, if any were made.
    var notes: CoreNotes? {
        UnsafeRawPointer(bitPattern: notesAddress.load(ordering: .acquiring))
            .map { Unmanaged<CoreNotes>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The notes, to be added to.
    var madeNotes: CoreNotes {
        if let notes { return notes }
        let mine = Unmanaged.passRetained(CoreNotes())
        let (isMine, _) = notesAddress.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: mine.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        guard !isMine, let notes else { return mine.takeUnretainedValue() }
        mine.release()
        return notes
    }

    // MARK: - Overwrites

    func noteOverwrite(
        of replaced: AnyServiceEntry,
        by entry: AnyServiceEntry,
        at place: CodePlace,
        for key: ServiceKey
    ) {
        guard replaced !== entry else { return }
        let registration = noted(key)
        let key = registration.key
        let overwrite = CoreNotes.Overwrite(
            entry: entry.serial.number,
            place: place,
            replaced: replaced.place,
            wasHandedOut: replaced.hasShared
        )
        madeNotes.withState { state in
            let known = state.overwrites[key] ?? []
            state.overwrites[key] = known.suffix(CoreNotes.limit - 1) + [overwrite]
        }
        forgetNeeds { $0 == registration }
    }

    func noteOverriding(by entry: AnyServiceEntry) {
        let serial = entry.serial.number
        let hasReplaced =
            notes?.withState { state in
                var hasReplaced = false
                for (key, overwrites) in state.overwrites {
                    for index in overwrites.indices where overwrites[index].entry == serial {
                        state.overwrites[key]?[index].isMeant = true
                        hasReplaced = true
                    }
                }
                return hasReplaced
            } ?? false
        if !hasReplaced, parent?.lookUp(entry.key) == nil {
            let key = CoreNotes.Key(entry.key, in: registry)
            madeNotes.withState { $0.idleOverrides[key] = entry.place }
        }
    }

    /// Forgets what is known of the registrations under some keys.
    func forgetHistory(where matches: (ServiceKey) -> Bool) {
        let dropped = notes?.withState { state in
            defer {
                state.overwrites = state.overwrites.filter { !$0.key.matches(matches) }
                state.idleOverrides = state.idleOverrides.filter { !$0.key.matches(matches) }
            }
            return (state.overwrites, state.idleOverrides)
        }
        withExtendedLifetime(dropped) {}
        let identity = identity
        forgetNeeds { $0.core == identity && $0.key.matches(matches) }
    }

    /// Takes over what is known of the registrations that were copied.
    func copyNotes(from original: ContainerCore) {
        guard let known = original.notes?.known else { return }
        guard !known.overwrites.isEmpty || !known.idleOverrides.isEmpty else { return }
        madeNotes.withState { state in
            state.overwrites = known.overwrites
            state.idleOverrides = known.idleOverrides
        }
    }

    // MARK: - Needs

    /// Forgets what some registrations need, here and in the children, which saw it where they asked.
    private func forgetNeeds(of isMeant: (CoreNotes.Registration) -> Bool) {
        let dropped = notes?.withState { state in
            defer { state.needs = state.needs.filter { !isMeant($0.from) } }
            return state.needs
        }
        withExtendedLifetime(dropped) {}
        for child in children {
            child.forgetNeeds(of: isMeant)
        }
    }

    /// Notes that a registration needs another.
    ///
    /// For a fork they are those of the containers that it was made of.
    func noteNeed(of frame: Frame, for found: Found, deferral: Deferral) {
        guard let entry = frame.entry?.takeUnretainedValue() else { return }
        let asked = frame.asked.takeUnretainedValue()
        let holder = asked.chain.first { $0.registry.holds(entry) } ?? asked
        let need = CoreNotes.Need(
            from: holder.noted(entry.key),
            to: found.holder.noted(found.entry.key),
            deferral: deferral,
            isCompleting: frame.isCompleting
        )
        _ = madeNotes.withState { $0.needs.insert(need) }
    }

    /// Takes over what a fork's resolutions have shown.
    func copyNeeds(from fork: ContainerCore) {
        guard let needs = fork.notes?.known.needs, !needs.isEmpty else { return }
        madeNotes.withState { $0.needs.formUnion(needs) }
    }

    /// What the registration under a key is called in notes.
    func noted(_ key: ServiceKey) -> CoreNotes.Registration {
        CoreNotes.Registration(core: identity, key: CoreNotes.Key(key, in: registry))
    }

    /// What a core is called in notes: a fork by the container that it was made of.
    private var identity: ObjectIdentifier { ObjectIdentifier(originals.first ?? self) }
}

extension Registry {
    func holds(_ entry: AnyServiceEntry) -> Bool {
        self.entry(for: entry.key) === entry
    }
}
