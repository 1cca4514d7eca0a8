/// What one `apply` does: which assemblies, and in which order.
///
/// It is decided before anything is registered.
struct AssemblyPlan {
    /// What is to be applied, each after what it requires.
    private(set) var order: [any Assembly] = []
    /// What will have been applied to the container then.
    private(set) var applied: AppliedAssemblies

    /// What was applied or planned of each type, here or in a parent.
    private var known: [ObjectIdentifier: [AppliedAssemblies.Application]]
    /// Those of them that stand for others.
    private var standIns: [AppliedAssemblies.Application]
    private let given: [any Assembly]
    /// Which of those are done.
    private var isPlanned: [Bool]
    /// Those that stand for others, be they given or required.
    private var replacements: [any Assembly]
    /// The types whose replacements are being looked for.
    private var replaced: Set<ObjectIdentifier> = []

    /// Plans what is given to `apply`.
    ///
    /// - Throws: ``AssemblyConflict``
    init(
        _ given: [any Assembly],
        after applied: AppliedAssemblies,
        under parents: [AppliedAssemblies]
    ) throws(AssemblyConflict) {
        // One that stands for others may itself be required: it is known after the first attempt.
        var replacements = given.filter { !$0.replaces.isEmpty }
        while true {
            self.init(given, replacements, applied, parents)
            for index in given.indices { self.applied.given.append(try planGiven(index)) }
            if self.replacements.count == replacements.count { return }
            replacements = self.replacements
        }
    }

    private init(
        _ given: [any Assembly],
        _ replacements: [any Assembly],
        _ applied: AppliedAssemblies,
        _ parents: [AppliedAssemblies]
    ) {
        self.given = given
        self.replacements = replacements
        self.applied = applied
        let applications = ([applied] + parents).flatMap(\.applications)
        known = Dictionary(grouping: applications) { ObjectIdentifier($0.type) }
        standIns = applications.filter { !$0.replaces.isEmpty }
        isPlanned = given.map { _ in false }
    }

    // MARK: - Meeting a need

    private mutating func planGiven(
        _ index: Int
    ) throws(AssemblyConflict) -> AppliedAssemblies.Need {
        let assembly = given[index]
        let type = Swift.type(of: assembly)
        if let need = try planReplacements(of: type, for: nil) { return need }
        if !isPlanned[index] {
            isPlanned[index] = true
            let required = known[ObjectIdentifier(type), default: []]
                .filter { $0.requirer != nil }
            try check(assembly, for: nil, against: required)
            if required.isEmpty { try plan(assembly, for: nil) }
        }
        return AppliedAssemblies.Need(type: type, metBy: [type])
    }

    private mutating func planRequired(
        _ assembly: any Assembly,
        for requirer: Any.Type?
    ) throws(AssemblyConflict) -> AppliedAssemblies.Need {
        let type = Swift.type(of: assembly)
        if let need = try planReplacements(of: type, for: requirer) { return need }
        let indices = given.indices.filter { Swift.type(of: given[$0]) == type }
        let others = indices.map { AppliedAssemblies.Application(given[$0], for: nil) }
        let known = known[ObjectIdentifier(type), default: []] + others
        try check(assembly, for: requirer, against: known)
        if known.isEmpty { try plan(assembly, for: requirer) }
        for index in indices { _ = try planGiven(index) }
        return AppliedAssemblies.Need(type: type, metBy: [type])
    }

    /// Plans what stands for a type, if there is anything.
    private mutating func planReplacements(
        of type: any Assembly.Type,
        for requirer: Any.Type?
    ) throws(AssemblyConflict) -> AppliedAssemblies.Need? {
        // Two may stand for each other: then the second one stands for itself.
        guard replaced.insert(ObjectIdentifier(type)).inserted else { return nil }
        defer { replaced.remove(ObjectIdentifier(type)) }
        var metBy: [Any.Type] = []
        for standIn in standIns where standIn.replaces.contains(where: { $0 == type }) {
            metBy.append(standIn.type)
        }
        for assembly in replacements where assembly.replaces.contains(where: { $0 == type }) {
            let need = try planRequired(assembly, for: requirer)
            for other in need.metBy where !metBy.contains(where: { $0 == other }) {
                metBy.append(other)
            }
        }
        return metBy.isEmpty ? nil : AppliedAssemblies.Need(type: type, metBy: metBy)
    }

    /// Plans an assembly, after what it requires.
    private mutating func plan(
        _ assembly: any Assembly,
        for requirer: Any.Type?
    ) throws(AssemblyConflict) {
        let type = Swift.type(of: assembly)
        let index = applied.applications.count
        let application = AppliedAssemblies.Application(assembly, for: requirer)
        applied.applications.append(application)
        known[ObjectIdentifier(type), default: []].append(application)
        if !application.replaces.isEmpty { standIns.append(application) }
        if !assembly.replaces.isEmpty, !replacements.contains(where: { Swift.type(of: $0) == type })
        {
            replacements.append(assembly)
        }
        for required in assembly.requires {
            let need = try planRequired(required, for: type)
            applied.applications[index].needs.append(need)
        }
        order.append(assembly)
        applied.types.append(type)
    }

    /// Sees to it that an assembly is one of those of its type that are known.
    private func check(
        _ assembly: any Assembly,
        for requirer: Any.Type?,
        against known: [AppliedAssemblies.Application]
    ) throws(AssemblyConflict) {
        guard let first = known.first, !known.contains(where: { $0.isEqual(to: assembly) }) else {
            return
        }
        throw AssemblyConflict(
            type: Swift.type(of: assembly),
            requirers: (first.requirer, requirer)
        )
    }
}

extension AppliedAssemblies.Application {
    init(_ assembly: any Assembly, for requirer: Any.Type?) {
        self.init(
            type: Swift.type(of: assembly),
            value: assembly as? any Equatable,
            requirer: requirer,
            replaces: assembly.replaces
        )
    }

    /// False where another assembly of the same type is known to differ.
    fileprivate func isEqual(to assembly: any Assembly) -> Bool {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == assembly as? Value }
        return value.map { isEqual($0) } ?? true
    }
}

extension Core {
    /// What has been applied here.
    var appliedAssemblies: AppliedAssemblies {
        var applied = ownAssemblies
        applied.inherited = Set(
            chain.dropFirst().flatMap(\.ownAssemblies.types).map { ObjectIdentifier($0) }
        )
        return applied
    }

    private var ownAssemblies: AppliedAssemblies {
        state.withLock { $0.assemblies } as? AppliedAssemblies ?? AppliedAssemblies()
    }

    /// Plans what is given to `apply`, and notes it as applied.
    ///
    /// Who calls it has the turn to apply.
    ///
    /// - Throws: ``AssemblyConflict``
    func plan(_ given: [any Assembly]) throws(AssemblyConflict) -> [any Assembly] {
        let plan = try AssemblyPlan(
            given,
            after: ownAssemblies,
            under: chain.dropFirst().map(\.ownAssemblies)
        )
        state.withLock { $0.assemblies = plan.applied }
        return plan.order
    }
}
