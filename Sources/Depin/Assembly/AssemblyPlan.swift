/// The plan of one `apply`: which assemblies it applies, and in which order.
///
/// It is made before anything is registered.
private final class AssemblyPlan {
    typealias Application = Applications.Application
    typealias Need = Applications.Need

    /// An assembly that replaces others, and the first type that requires it.
    typealias Replacement = (assembly: any Assembly, requirer: Any.Type?)

    /// The assemblies to apply, each after those that it requires.
    private(set) var order: [PlannedAssembly] = []
    /// What this plan applies instead of the `apply` around it, because it is required here.
    private(set) var taken: [PlannedAssembly] = []
    /// The applications after this plan.
    private(set) var applied: Applications
    /// The applications of each type so far, here and in the parents, and those in the plan.
    private var known = RareTable<ObjectIdentifier, [Application]>()
    /// The types that replace others, as far as they were met, with those that they replace; and whether they are
    /// applied, or in the plan.
    private var replacing: [(type: Any.Type, replaces: [Any.Type], isApplied: Bool)] = []
    /// The assemblies that replace others, among those that are given and those that they require.
    private var replacements: [Replacement] = []
    private let given: [any Assembly]
    /// The indices of the given assemblies that no need has asked for yet, by their types.
    private var unasked = RareTable<ObjectIdentifier, [Int]>()
    /// The indices of the given assemblies that are planned.
    private var plannedIndices = RareSet<Int>()
    private let place: CodePlace

    /// Plans everything that is given to `apply`.
    ///
    /// - Throws: ``AssemblyConflict``
    @_optimize(size)
    init(_ given: [any Assembly], in engine: Engine, at place: CodePlace) throws {
        self.given = given
        self.place = place
        applied = engine.applications
        applied.all.forEach(note)
        for parent in engine.chain.dropFirst() { parent.applications.all.forEach(note) }
        for (index, assembly) in given.enumerated() {
            unasked[ObjectIdentifier(type(of: assembly)), default: []].append(index)
        }
        findReplacements()
        for index in given.indices { applied.given.appendNew(try planGiven(index)) }
    }

    /// Finds the assemblies that replace others, the nearest first, one of each type.
    ///
    /// What only a replaced assembly requires counts, too, so that one walk finds all.
    private func findReplacements() {
        var reached: [Replacement] = given.map { ($0, nil) }
        var seen = RareSet<ObjectIdentifier>()
        var next = 0
        while next < reached.count {
            let assembly = reached[next].assembly
            let type = type(of: assembly)
            if seen.insert(ObjectIdentifier(type)) {
                if !assembly.replaced.isEmpty { replacements.append(reached[next]) }
                reached += assembly.requires.map { ($0, type) }
            }
            next += 1
        }
    }

    private func note(_ application: Application) {
        known[ObjectIdentifier(application.type), default: []].append(application)
        guard !application.replaces.isEmpty else { return }
        replacing.append((application.type, application.replaces, true))
    }

    // MARK: - Meeting a need

    private func planGiven(_ index: Int) throws -> Need {
        let assembly = given[index]
        let type = Swift.type(of: assembly)
        try checkReplacements(by: assembly)
        if let need = try planReplacements(of: type, for: nil) { return need }
        if plannedIndices.insert(index) {
            let known = known[ObjectIdentifier(type), default: []]
            let required = known.filter { $0.requirer != nil }
            try check(assembly, for: nil, against: required)
            if required.isEmpty { try plan(assembly, for: nil) }
        }
        return (type, [type])
    }

    @_optimize(size)
    private func planRequired(_ assembly: any Assembly, for requirer: Any.Type?) throws -> Need {
        let type = Swift.type(of: assembly)
        try checkReplacements(by: assembly)
        if let need = try planReplacements(of: type, for: requirer) { return need }
        let indices = unasked[ObjectIdentifier(type), default: []]
        unasked[ObjectIdentifier(type)] = nil
        let others = indices.map { Application(given[$0], for: nil, at: place) }
        let known = known[ObjectIdentifier(type), default: []] + others
        try check(assembly, for: requirer, against: known)
        if known.isEmpty { try plan(assembly, for: requirer) }
        try takeOver(type)
        for index in indices { _ = try planGiven(index) }
        return (type, [type])
    }

    /// Plans the replacements of a type, if there are any.
    private func planReplacements(
        of type: any Assembly.Type,
        for requirer: Any.Type?
    ) throws -> Need? {
        var metBy = replacing.filter { $0.isApplied && $0.replaces.contains(type) }.map(\.type)
        for standIn in metBy { try takeOver(standIn) }
        for (assembly, known) in replacements where assembly.replaced.contains(type) {
            let need = try planRequired(assembly, for: known ?? requirer)
            for other in need.metBy { metBy.appendNew(other) }
        }
        return metBy.isEmpty ? nil : (type, metBy)
    }

    /// Plans an assembly, after those that it requires, and notes its application, unless that equals the last one of
    /// its type.
    private func plan(_ assembly: any Assembly, for requirer: Any.Type?) throws {
        let application = Application(assembly, for: requirer, at: place)
        let last = applied.all.lastIndex { $0.type == application.type }
        if let last, applied.all[last].isSame(as: application) { return try plan(assembly, last) }
        note(application)
        applied.all.append(application)
        try plan(assembly, applied.all.count - 1)
    }

    /// Plans what an `apply` around this one has planned of a type, and not begun yet.
    private func takeOver(_ type: Any.Type) throws {
        let planned = applied.planned.last {
            !$0.hasBegun && Swift.type(of: $0.assembly) == type
        }
        guard let planned, !taken.contains(where: { $0 === planned }) else { return }
        taken.append(planned)
        try plan(planned.assembly, planned.index)
        order.last?.isTaken = true
    }

    private func plan(_ assembly: any Assembly, _ index: Int) throws {
        let type = Swift.type(of: assembly)
        for required in assembly.requires {
            let need = try planRequired(required, for: type)
            applied.all[index].needs.appendNew(need)
        }
        order.append(PlannedAssembly(assembly, index))
        applied.types.appendNew(type)
    }

    /// Refuses an assembly that differs from a known one of its type.
    private func check(
        _ assembly: any Assembly,
        for requirer: Any.Type?,
        against known: [Application]
    ) throws {
        guard let first = known.first, !known.contains(where: { $0.isEqual(to: assembly) }) else {
            return
        }
        var conflict = AssemblyConflict(type: type(of: assembly), place: place)
        conflict.requirers = (first.requirer, requirer)
        throw conflict
    }

    /// Refuses an assembly that replaces one that replaces it, directly or not.
    @_optimize(size)
    private func checkReplacements(by assembly: any Assembly) throws {
        let type = Swift.type(of: assembly)
        guard !assembly.replaced.isEmpty else { return }
        replacing.append((type, assembly.replaced, false))
        var seen: [Any.Type] = [type]
        var ways = [seen]
        while let way = ways.popLast() {
            let replaced = replacing.last { $0.type == way[way.count - 1] }?.replaces ?? []
            for next in replaced {
                if next == type {
                    throw AssemblyConflict(type: type, circle: way, place: place)
                }
                guard !seen.contains(next) else { continue }
                seen.append(next)
                ways.append(way + [next])
            }
        }
    }
}

extension Engine {
    /// Notes the registrations that assemblies have added.
    ///
    /// Only the holder of the turn to apply calls it.
    func noteRuns(of assemblies: [PlannedAssembly]) {
        var applied = applications
        applied.planned = applied.planned.filter { !$0.hasBegun }
        // An assembly may have removed everything, so that another application, or none, stands there.
        for planned in assemblies where applied.all.indices.contains(planned.index) {
            // An `apply` inside of an assembly has taken it, and noted it.
            guard planned.numbers != nil else { continue }
            let known = applied.all[planned.index]
            guard known.type == type(of: planned.assembly) else { continue }
            if known.numbers == nil {
                applied.all[planned.index].numbers = planned.numbers
            } else {
                applied.all[planned.index].repeated = planned.numbers
            }
        }
        state.withLock { $0.additions.made(Applications.OfEngine.self).applications = applied }
    }

    /// The assemblies that were applied here.
    package var applications: Applications {
        state.withLock { $0.additions.find(Applications.OfEngine.self)?.applications }
            ?? Applications()
    }

    /// Plans what is given to `apply`, and notes it as applied.
    ///
    /// Only the holder of the turn to apply calls it.
    ///
    /// - Throws: ``AssemblyConflict``
    func plan(_ given: [any Assembly], at place: CodePlace) throws -> [PlannedAssembly] {
        let plan = try AssemblyPlan(given, in: self, at: place)
        for planned in plan.taken { planned.hasBegun = true }
        var applied = plan.applied
        applied.planned += plan.order
        state.withLock { $0.additions.made(Applications.OfEngine.self).applications = applied }
        return plan.order
    }
}
