/// The plan of one `apply`: which assemblies it applies, and in which order.
///
/// It is made before anything is registered.
private final class AssemblyPlan {
    typealias Application = Applications.Application
    typealias Need = Applications.Need
    /// An assembly that replaces others, and the type that required it first; nil if it was given to `apply`.
    typealias Replacement = (assembly: any Assembly, requirer: Any.Type?)

    /// What is known and planned of one type of assembly.
    private final class OfType {
        /// Its applications so far, here and in the parents, and those in the plan.
        var known: [Application] = []
        /// The index of the last application here.
        var index: Int?
        /// The indices of given assemblies that no need has asked for yet.
        var unasked: [Int] = []
        /// The types that this one replaces.
        var replaces: [Any.Type] = []
    }

    /// The assemblies to apply, each after those that it requires, with the indices of their applications.
    private(set) var order: [(assembly: any Assembly, index: Int)] = []
    /// The applications after this plan.
    let applied: Applications
    /// The assemblies that replace others, and are given or required by one that is applied.
    private(set) var needed: [Replacement] = []

    private let replacements: [Replacement]
    private var all = RareTable<ObjectIdentifier, OfType>()
    /// The applications that replace others.
    private var standIns: [Application] = []
    private let given: [any Assembly]
    /// Which of the given assemblies are planned.
    private var isPlanned: [Bool]
    private let place: CodePlace

    /// Plans everything that is given to `apply`.
    ///
    /// - Throws: ``AssemblyConflict``
    @_optimize(size)
    init(
        _ given: [any Assembly],
        replacedBy replacements: [Replacement],
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
        for index in given.indices {
            of(type(of: given[index])).unasked.append(index)
            noteNeeded(given[index], by: nil)
        }
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

    private func noteNeeded(_ assembly: any Assembly, by requirer: Any.Type?) {
        let type = Swift.type(of: assembly)
        let isKnown = requirer != nil && needed.contains { Swift.type(of: $0.assembly) == type }
        if !assembly.replaced.isEmpty, !isKnown { needed.append((assembly, requirer)) }
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

    /// Plans the replacements of a type, if there are any.
    private func planReplacements(
        of type: any Assembly.Type,
        for requirer: Any.Type?
    ) throws -> Need? {
        var metBy = standIns.filter { $0.replaces.contains { $0 == type } }.map(\.type)
        for (assembly, itsRequirer) in replacements
        where assembly.replaced.contains(where: { $0 == type }) {
            let need = try planRequired(assembly, for: itsRequirer ?? requirer)
            for other in need.metBy where !metBy.contains(where: { $0 == other }) {
                metBy.append(other)
            }
        }
        return metBy.isEmpty ? nil : (type, metBy)
    }

    /// Plans an assembly, after those that it requires.
    @_optimize(size)
    private func plan(_ assembly: any Assembly, for requirer: Any.Type?) throws {
        let type = Swift.type(of: assembly)
        let index = noteOnce(Application(assembly, for: requirer, at: place))
        for required in assembly.requires {
            noteNeeded(required, by: type)
            let need = try planRequired(required, for: type)
            applied.all[index].needs.appendNew(need)
        }
        order.append((assembly, index))
        if !applied.types.contains(where: { $0 == type }) { applied.types.append(type) }
    }

    /// Notes an application, unless it equals the last one of its type; gives its index.
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

    /// Refuses an assembly that differs from a known one of its type.
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

    /// Refuses an assembly that replaces one that replaces it, directly or not.
    @_optimize(size)
    private func checkReplacements(by assembly: any Assembly) throws {
        let type = Swift.type(of: assembly)
        guard !assembly.replaced.isEmpty else { return }
        of(type).replaces = assembly.replaced
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
    /// Notes the registrations that assemblies have added, each by its index in the plan.
    ///
    /// Only the holder of the turn to apply calls it.
    func noteRuns(_ runs: [(index: Int, type: Any.Type, numbers: Range<UInt>)]) {
        let applied = applications.copy
        // An assembly may have removed everything, so that another application, or none, stands there.
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
    func plan(
        _ given: [any Assembly],
        at place: CodePlace
    ) throws -> [(assembly: any Assembly, index: Int)] {
        // A replacement may itself be a requirement, and that of an assembly that is replaced, so each attempt says what
        // the next one begins with.
        var replacements = given.filter { !$0.replaced.isEmpty }.map { ($0, nil as Any.Type?) }
        var attempts = 0
        while true {
            let plan = try AssemblyPlan(given, replacedBy: replacements, in: self, at: place)
            func isNew(_ replacement: AssemblyPlan.Replacement) -> Bool {
                !replacements.contains { type(of: $0.0) == type(of: replacement.assembly) }
            }
            attempts += 1
            // A replacement that is required only without itself would come and go: from now on it stays.
            let canLeave = attempts < 16
            let new = plan.needed.filter(isNew)
            if new.isEmpty, !canLeave || plan.needed.count == replacements.count {
                state.withLock {
                    $0.additions.made(Applications.OfEngine.self).applications = plan.applied
                }
                return plan.order
            }
            replacements = canLeave ? plan.needed : replacements + new
        }
    }
}
