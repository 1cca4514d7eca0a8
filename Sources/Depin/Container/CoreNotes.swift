import Synchronization

/// What is known of a core besides what its resolutions need.
final class CoreNotes: @unchecked Sendable {  // Its lock guards it.
    /// A registration that replaced another one in the same container.
    struct Overwrite {
        /// Names the registration that replaced.
        let entry: ObjectIdentifier
        let place: CodePlace
        let replaced: CodePlace
        /// True when the replaced registration had given out an instance that it shared.
        let wasHandedOut: Bool
        /// True when the registration says that it overrides.
        var isMeant = false
    }

    /// A registration, by the container that holds it and its key.
    struct Registration: Hashable {
        let core: ObjectIdentifier
        let key: ServiceKey
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
        var overwrites: [ServiceKey: [Overwrite]] = [:]
        /// Registrations that say that they override and have replaced nothing.
        var idleOverrides: [ServiceKey: CodePlace] = [:]
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
        let overwrite = CoreNotes.Overwrite(
            entry: ObjectIdentifier(entry),
            place: place,
            replaced: replaced.place,
            wasHandedOut: replaced.hasShared
        )
        madeNotes.withState { state in
            let known = state.overwrites[key] ?? []
            state.overwrites[key] = known.suffix(CoreNotes.limit - 1) + [overwrite]
        }
    }

    func noteOverriding(by entry: AnyServiceEntry) {
        let identity = ObjectIdentifier(entry)
        let hasReplaced =
            notes?.withState { state in
                var hasReplaced = false
                for (key, overwrites) in state.overwrites {
                    for index in overwrites.indices where overwrites[index].entry == identity {
                        state.overwrites[key]?[index].isMeant = true
                        hasReplaced = true
                    }
                }
                return hasReplaced
            } ?? false
        if !hasReplaced, parent?.lookUp(entry.key) == nil {
            madeNotes.withState { $0.idleOverrides[entry.key] = entry.place }
        }
    }

    func forgetOverwrites(where matches: (ServiceKey) -> Bool) {
        notes?.withState { state in
            state.overwrites = state.overwrites.filter { !matches($0.key) }
            state.idleOverrides = state.idleOverrides.filter { !matches($0.key) }
        }
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

    /// Notes that a registration needs another.
    ///
    /// For a fork they are those of the containers that it was made of.
    func noteNeed(of frame: Frame, for found: Found, deferral: Deferral) {
        guard let entry = frame.entry?.takeUnretainedValue() else { return }
        let asked = frame.asked.takeUnretainedValue()
        let holder = asked.chain.first { $0.registry.holds(entry) } ?? asked
        let need = CoreNotes.Need(
            from: CoreNotes.Registration(core: holder.identity, key: entry.key),
            to: CoreNotes.Registration(core: found.holder.identity, key: found.entry.key),
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

    /// What a core is called in notes: a fork by the container that it was made of.
    var identity: ObjectIdentifier { ObjectIdentifier(originals.first ?? self) }
}

extension Registry {
    func holds(_ entry: AnyServiceEntry) -> Bool {
        self.entry(for: entry.key) === entry
    }
}
