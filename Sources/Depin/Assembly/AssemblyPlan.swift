/// What one `apply` does: which assemblies, and in which order.
///
/// It is decided before anything is registered.
private final class AssemblyPlan {
    typealias Application = Applications.Application
    typealias Need = Applications.Need

    /// What is known and planned of one type.
    private final class OfType {
        /// What was applied or planned, here or in a parent.
        var known: [Application] = []
        /// Where the last application here stands.
        var index: Int?
        /// Where those that are given stand that no need has asked for yet.
        var unasked: [Int] = []
        /// The types that those of this one stand for.
        var replaces: [Any.Type] = []
        /// True while what stands for this type is planned.
        var isReplaced = false
    }

    /// What is to be applied, each after what it requires, and where its application stands.
    private(set) var order: [(assembly: any Assembly, index: Int)] = []
    /// What will have been applied to the container then.
    let applied: Applications
    /// Those that stand for others, be they given or required.
    private(set) var replacements: [any Assembly]

    private var all = RareTable<ObjectIdentifier, OfType>()
    /// Those that were applied or planned and stand for others.
    private var standIns: [Application] = []
    private let given: [any Assembly]
    /// Which of those are done.
    private var isPlanned: [Bool]
    private let place: CodePlace

    /// Plans all that is given to `apply`.
    ///
    /// - Throws: ``AssemblyConflict``
    @_optimize(size)
    init(
        _ given: [any Assembly],
        replacedBy replacements: [any Assembly],
        in engine: Engine,
        at place: CodePlace
    ) throws {
        self.given = given
        self.replacements = replacements
        self.place = place
        applied = engine.applications.copy
        isPlanned = given.map { _ in false }
        for (index, application) in applied.all.enumerated() {
            note(application)
            of(application.type).index = index
        }
        for parent in engine.chain.dropFirst() { parent.applications.all.forEach(note) }
        for index in given.indices { of(type(of: given[index])).unasked.append(index) }
        for index in given.indices { applied.given.appendNew(try planGiven(index)) }
    }

    private func of(_ type: Any.Type) -> OfType {
        if let known = all[ObjectIdentifier(type)] { return known }
        let new = OfType()
        all[ObjectIdentifier(type)] = new
        return new
    }

    private func note(_ application: Application) {
        of(application.type).known.append(application)
        guard !application.replaces.isEmpty else { return }
        of(application.type).replaces = application.replaces
        standIns.append(application)
    }

    // MARK: - Meeting a need

    private func planGiven(_ index: Int) throws -> Need {
        let assembly = given[index]
        let type = Swift.type(of: assembly)
        try checkReplacements(by: assembly)
        if let need = try planReplacements(of: type, for: nil) { return need }
        if !isPlanned[index] {
            isPlanned[index] = true
            let required = of(type).known.filter { $0.requirer != nil }
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
        let indices = of(type).unasked
        of(type).unasked = []
        let others = indices.map { Application(given[$0], for: nil, at: place) }
        let known = of(type).known + others
        try check(assembly, for: requirer, against: known)
        if known.isEmpty { try plan(assembly, for: requirer) }
        for index in indices { _ = try planGiven(index) }
        return (type, [type])
    }

    /// Plans what stands for a type, if there is anything.
    private func planReplacements(
        of type: any Assembly.Type,
        for requirer: Any.Type?
    ) throws -> Need? {
        // One may name itself among those it stands for.
        guard !of(type).isReplaced else { return nil }
        of(type).isReplaced = true
        defer { of(type).isReplaced = false }
        var metBy = standIns.filter { $0.replaces.contains { $0 == type } }.map(\.type)
        for assembly in replacements where assembly.replaces.contains(where: { $0 == type }) {
            let need = try planRequired(assembly, for: requirer)
            for other in need.metBy where !metBy.contains(where: { $0 == other }) {
                metBy.append(other)
            }
        }
        return metBy.isEmpty ? nil : (type, metBy)
    }

    /// Plans an assembly, after what it requires.
    @_optimize(size)
    private func plan(_ assembly: any Assembly, for requirer: Any.Type?) throws {
        let type = Swift.type(of: assembly)
        let index = noteOnce(Application(assembly, for: requirer, at: place))
        if !assembly.replaces.isEmpty, !replacements.contains(where: { Swift.type(of: $0) == type })
        {
            replacements.append(assembly)
        }
        for required in assembly.requires {
            let need = try planRequired(required, for: type)
            applied.all[index].needs.appendNew(need)
        }
        order.append((assembly, index))
        if !applied.types.contains(where: { $0 == type }) { applied.types.append(type) }
    }

    /// Notes an application, unless it is the last one of its type again; where it stands.
    private func noteOnce(_ application: Application) -> Int {
        let known = of(application.type)
        if let last = known.index, applied.all[last].isSame(as: application) {
            return last
        }
        note(application)
        applied.all.append(application)
        let index = applied.all.count - 1
        known.index = index
        return index
    }

    /// Sees to it that an assembly is one of those of its type that are known.
    private func check(
        _ assembly: any Assembly,
        for requirer: Any.Type?,
        against known: [Application]
    ) throws {
        guard let first = known.first, !known.contains(where: { $0.isEqual(to: assembly) }) else {
            return
        }
        throw AssemblyConflict(
            type: Swift.type(of: assembly),
            requirers: (first.requirer, requirer),
            place: place
        )
    }

    /// Sees to it that an assembly does not stand for another that stands for it, at whatever distance.
    @_optimize(size)
    private func checkReplacements(by assembly: any Assembly) throws {
        let type = Swift.type(of: assembly)
        guard !assembly.replaces.isEmpty else { return }
        of(type).replaces = assembly.replaces
        var seen: [Any.Type] = [type]
        var ways = [seen]
        while let way = ways.popLast() {
            for next in of(way[way.count - 1]).replaces {
                if next == type, way.count > 1 {
                    throw AssemblyConflict(
                        type: type,
                        requirers: (nil, nil),
                        circle: way,
                        place: place
                    )
                }
                guard !seen.contains(where: { $0 == next }) else { continue }
                seen.append(next)
                ways.append(way + [next])
            }
        }
    }
}

extension Engine {
    /// Notes what assemblies have added, each by where its plan has noted it as applied.
    ///
    /// Who calls it has the turn to apply.
    func noteRuns(_ runs: [(index: Int, type: Any.Type, numbers: Range<UInt>)]) {
        let applied = applications.copy
        // Others, or none, stand there where an assembly has removed all.
        for (index, type, numbers) in runs
        where index < applied.all.count && applied.all[index].type == type {
            if applied.all[index].numbers == nil {
                applied.all[index].numbers = numbers
            } else {
                applied.all[index].repeated = numbers
            }
        }
        state.withLock { $0.additions.made(Applications.OfEngine.self).applications = applied }
    }

    /// What has been applied here.
    package var applications: Applications {
        state.withLock { $0.additions.find(Applications.OfEngine.self)?.applications }
            ?? Applications()
    }

    /// Plans what is given to `apply`, and notes it as applied.
    ///
    /// Who calls it has the turn to apply.
    ///
    /// - Throws: ``AssemblyConflict``
    func plan(
        _ given: [any Assembly],
        at place: CodePlace
    ) throws -> [(assembly: any Assembly, index: Int)] {
        // One that stands for others may itself be required: it is known after the first attempt.
        var replacements = given.filter { !$0.replaces.isEmpty }
        while true {
            let plan = try AssemblyPlan(given, replacedBy: replacements, in: self, at: place)
            if plan.replacements.count == replacements.count {
                state.withLock {
                    $0.additions.made(Applications.OfEngine.self).applications = plan.applied
                }
                return plan.order
            }
            replacements = plan.replacements
        }
    }
}
