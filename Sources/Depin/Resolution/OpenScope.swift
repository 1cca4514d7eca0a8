import Synchronization

/// What makes a container an open scope.
///
/// It has a copy of each registration of that scope which has been asked for there. The copies are no registrations
/// of the container: what lists those shows each of them where it stands.
struct OpenScope: Sendable {
    /// Whether there ever was one: where none was, nobody has to look for it.
    static let wasOpened = Atomic(false)

    let scope: ObjectScope
    /// Where it was opened.
    let place: CodePlace
    /// The number of the registration whose factory opened it, 0 for none.
    private let opener: UInt

    init(_ scope: ObjectScope, at place: CodePlace, by opener: UInt = 0) {
        self.scope = scope
        self.place = place
        self.opener = opener
        OpenScope.wasOpened.store(true, ordering: .relaxed)
    }

    /// The same scope for a fork.
    var forked: OpenScope { OpenScope(scope, at: place) }

    /// The step that would keep what one of these containers shares for longer than the scope is open.
    ///
    /// One that had begun before the scope was opened has opened it.
    fileprivate func keeper(among cores: Core.Chain, _ path: Path) -> Path.Step? {
        path.keeper(among: cores, since: opener)
    }
}

/// Numbers that are counted up spread well enough.
extension UInt: TableKey {
    var tableHash: Int { Int(bitPattern: self) }
}

extension Core {
    /// What this open scope has copied.
    var copies: [EntryCopy] {
        opened == nil ? [] : state.withLock { $0.copies.cells.map(\.value) }
    }

    /// The copy of a registration, if it has been asked for in this open scope.
    func knownCopy(of entry: AnyServiceEntry) -> EntryCopy? {
        state.withLock { $0.copies[entry.number] }
    }

    /// Keeps a copy of a registration, or gives the one that is kept by now.
    func keep(_ copy: EntryCopy) -> EntryCopy {
        state.withLock { $0.copies.insert(copy, for: copy.original.number) } ?? copy
    }

    /// Forgets the copies, and adds them to a list.
    func removeCopies(into removed: inout [AnyServiceEntry]) {
        guard opened != nil else { return }
        let copies = state.withLock { state in
            defer { state.copies = HashTable() }
            return state.copies
        }
        for cell in copies.cells { removed.append(cell.value) }
    }

    /// Whether this is an open scope, or inside one, that was opened on a container or in what it has opened.
    func isOpened(on other: Core) -> Bool {
        var isOpened = false
        for core in chain {
            if core === other { return isOpened }
            if core.opened != nil { isOpened = true }
        }
        return false
    }

    /// The core of the nearest open scope that an entry belongs to.
    func openScope(of entry: AnyServiceEntry) -> Core? {
        let scope = entry.objectScope
        return chain.first { $0.opened?.scope.includes(scope) == true }
    }

    /// Where an instance of a registration is kept that was found from here.
    func keeper(of found: Found) -> Core {
        found.entry.kind == .opened ? openScope(of: found.entry) ?? found.holder : found.holder
    }

    /// The nearest open scope of an entry, and what stands for the entry there.
    ///
    /// - Throws: `ResolutionError`, where none is open, and where what asks would outlive the scope.
    func opening(
        of entry: AnyServiceEntry,
        for request: borrowing ServiceRequest,
        _ path: Path
    ) throws -> (home: Core, copy: AnyServiceEntry) {
        let home = openScope(of: entry)
        let keeper: Path.Step? =
            if let home {
                home.parent.flatMap { home.opened?.keeper(among: $0.chain, path) }
            } else {
                path.keeper(among: chain)
            }
        if let keeper, let kept = keeper.entry {
            let owner = ResolutionError.Registration(of: kept)
            throw ResolutionError(
                .captive(of: owner, ResolutionError.Registration(of: entry)),
                request.forError,
                path: path.forError
            )
        }
        guard let home else {
            throw ResolutionError(
                .noOpenScope(ResolutionError.Registration(of: entry)),
                request.forError,
                path: path.forError
            )
        }
        return (home, home.knownCopy(of: entry) ?? home.keep(EntryCopy(of: entry, openedIn: home)))
    }
}

extension Path {
    /// The innermost step since that of a registration, or of all, that builds what one of these containers
    /// keeps.
    func keeper(among cores: Core.Chain, since opener: UInt = 0) -> Step? {
        guard keptSteps > 0 else { return nil }
        let opening = opener == 0 ? nil : steps.lastIndex { $0.number == opener }
        return steps[(opening.map { $0 + 1 } ?? 0)...].last { step in
            step.traits.kind.keeps && cores.contains { $0 === step.asked }
        }
    }
}

extension ResolutionError.Registration {
    fileprivate init(of entry: AnyServiceEntry) {
        self.init(
            request: ResolutionError.Request(entry.key),
            scope: entry.scopeName,
            place: entry.place
        )
    }
}
