/// What a feature of the library keeps in an engine, which knows of it only that it ends.
///
/// It is guarded by the lock of the engine's state, and made when something is first put into it.
// Classes, and no structures in a generic box, whose code each of them would have once more (20 KB).
class EngineAddition {
    enum Lifetime {
        case registrations
        case container
        case engine
    }

    /// What it goes with.
    var lifetime: Lifetime { .registrations }
    /// The slots in it, which end with it.
    var slots: [Slot] { [] }
    /// What a fork begins with.
    var forked: EngineAddition? { nil }

    required init() {}
}

/// The additions to one engine.
struct EngineAdditions {
    private var all: [EngineAddition] = []

    /// The addition of a type, if there is one.
    @inline(__always)
    func find<Addition: EngineAddition>(_: Addition.Type = Addition.self) -> Addition? {
        any(Addition.self).map { unsafeDowncast($0, to: Addition.self) }
    }

    /// The addition of a type, made if there is none.
    @inline(__always)
    mutating func made<Addition: EngineAddition>(_: Addition.Type = Addition.self) -> Addition {
        unsafeDowncast(anyMade(Addition.self), to: Addition.self)
    }

    private func any(_ type: EngineAddition.Type) -> EngineAddition? {
        for addition in all where Swift.type(of: addition) == type { return addition }
        return nil
    }

    private mutating func anyMade(_ type: EngineAddition.Type) -> EngineAddition {
        if let known = any(type) { return known }
        let made = type.init()
        all.append(made)
        return made
    }

    /// What a fork begins with.
    var forked: [EngineAddition] { all.compactMap(\.forked) }

    /// Begins with what a fork does, beside what is there.
    mutating func add(_ forked: [EngineAddition]) { all += forked }

    /// Removes what goes with the registrations, or with the container too; whoever calls it releases that without the
    /// lock.
    mutating func remove(_ isMeant: (EngineAddition.Lifetime) -> Bool) -> [EngineAddition] {
        if all.isEmpty { return [] }
        let removed = all.filter { isMeant($0.lifetime) }
        all = all.filter { !isMeant($0.lifetime) }
        return removed
    }
}
