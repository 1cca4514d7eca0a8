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
    /// Those of them that were required.
    private var required: [ObjectIdentifier: [AppliedAssemblies.Application]]
    /// Those of them that stand for others.
    private var standIns: [AppliedAssemblies.Application]
    private let given: [any Assembly]
    /// Which of those are done.
    private var isPlanned: [Bool]
    /// Where those of each type stand that no need has asked for yet.
    private var unasked: [ObjectIdentifier: [Int]]
    /// Those that stand for others, be they given or required.
    private var replacements: [any Assembly]
    /// The types whose replacements are being looked for.
    private var replaced: Set<ObjectIdentifier> = []
    /// What each type stands for, of those that stand for others.
    private var replacedTypes: [ObjectIdentifier: [Any.Type]] = [:]
    private let place: CodePlace

    /// Plans what is given to `apply`.
    ///
    /// - Throws: ``AssemblyConflict``
    init(
        _ given: [any Assembly],
        after applied: AppliedAssemblies,
        under parents: [AppliedAssemblies],
        at place: CodePlace
    ) throws(AssemblyConflict) {
        // One that stands for others may itself be required: it is known after the first attempt.
        var replacements = given.filter { !$0.replaces.isEmpty }
        while true {
            self.init(given, replacements, applied, parents, place)
            for index in given.indices { self.applied.note(try planGiven(index)) }
            if self.replacements.count == replacements.count { return }
            replacements = self.replacements
        }
    }

    private init(
        _ given: [any Assembly],
        _ replacements: [any Assembly],
        _ applied: AppliedAssemblies,
        _ parents: [AppliedAssemblies],
        _ place: CodePlace
    ) {
        self.given = given
        self.place = place
        self.replacements = replacements
        self.applied = applied
        let applications = ([applied] + parents).flatMap(\.applications)
        known = Dictionary(grouping: applications) { ObjectIdentifier($0.type) }
        required = known.mapValues { $0.filter { $0.requirer != nil } }
        unasked = Dictionary(grouping: given.indices) {
            ObjectIdentifier(Swift.type(of: given[$0]))
        }
        standIns = applications.filter { !$0.replaces.isEmpty }
        isPlanned = given.map { _ in false }
        for standIn in standIns {
            replacedTypes[ObjectIdentifier(standIn.type)] = standIn.replaces
        }
    }

    // MARK: - Meeting a need

    private mutating func planGiven(
        _ index: Int
    ) throws(AssemblyConflict) -> AppliedAssemblies.Need {
        let assembly = given[index]
        let type = Swift.type(of: assembly)
        try checkReplacements(by: assembly)
        if let need = try planReplacements(of: type, for: nil) { return need }
        if !isPlanned[index] {
            isPlanned[index] = true
            let required = required[ObjectIdentifier(type), default: []]
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
        try checkReplacements(by: assembly)
        if let need = try planReplacements(of: type, for: requirer) { return need }
        let indices = unasked.removeValue(forKey: ObjectIdentifier(type)) ?? []
        let others = indices.map { AppliedAssemblies.Application(given[$0], for: nil, at: place) }
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
        // One may name itself among those it stands for.
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
        let application = AppliedAssemblies.Application(assembly, for: requirer, at: place)
        let (index, isNew) = applied.note(application)
        if isNew {
            known[ObjectIdentifier(type), default: []].append(application)
            if requirer != nil { required[ObjectIdentifier(type), default: []].append(application) }
            if !application.replaces.isEmpty { standIns.append(application) }
        }
        if !assembly.replaces.isEmpty, !replacements.contains(where: { Swift.type(of: $0) == type })
        {
            replacements.append(assembly)
        }
        for required in assembly.requires {
            let need = try planRequired(required, for: type)
            applied.note(need, of: index)
        }
        order.append(assembly)
        applied.note(type)
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
            requirers: (first.requirer, requirer),
            place: place
        )
    }

    /// Sees to it that an assembly does not stand for another that stands for it, at whatever distance.
    private mutating func checkReplacements(by assembly: any Assembly) throws(AssemblyConflict) {
        let type = Swift.type(of: assembly)
        let replaces = assembly.replaces
        guard !replaces.isEmpty else { return }
        replacedTypes[ObjectIdentifier(type)] = replaces
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(type)]
        var ways: [[Any.Type]] = [[type]]
        while let way = ways.popLast() {
            for next in replacedTypes[ObjectIdentifier(way[way.count - 1]), default: []] {
                if next == type, way.count > 1 {
                    throw AssemblyConflict(
                        type: type,
                        requirers: (nil, nil),
                        circle: way,
                        place: place
                    )
                }
                if seen.insert(ObjectIdentifier(next)).inserted { ways.append(way + [next]) }
            }
        }
    }
}

extension AppliedAssemblies.Application {
    init(_ assembly: any Assembly, for requirer: Any.Type?, at place: CodePlace) {
        self.init(
            type: Swift.type(of: assembly),
            value: assembly as? any Equatable,
            requirer: requirer,
            replaces: assembly.replaces,
            place: place
        )
    }

    /// False where another assembly of the same type is known to differ.
    fileprivate func isEqual(to assembly: any Assembly) -> Bool {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == assembly as? Value }
        return value.map { isEqual($0) } ?? true
    }
}

extension Engine {
    /// What has been applied here.
    package var appliedAssemblies: AppliedAssemblies {
        var applied = ownAssemblies
        applied.inherited = Set(
            chain.dropFirst().flatMap(\.ownAssemblies.types).map { ObjectIdentifier($0) }
        )
        applied.notePlaces {
            registry.slots.map { ($0.registration.number, $0.registration.place) }
                + decorators.map { ($0.number, $0.place) }
        }
        return applied
    }

    /// The assemblies that were applied here twice, with the numbers of what the second added.
    package var doubledAssemblies: [(type: Any.Type, numbers: Range<UInt>)] {
        ownAssemblies.runs.values.compactMap { run in run.again.map { (run.type, $0) } }
            .ordered { $0.numbers.lowerBound < $1.numbers.lowerBound }
    }

    /// Notes what assemblies have added, which their plan has noted as applied.
    ///
    /// Who calls it has the turn to apply.
    func noteRuns(of assemblies: [(type: Any.Type, numbers: Range<UInt>)]) {
        var applied = ownAssemblies
        for (type, numbers) in assemblies { applied.note(numbers, of: type) }
        state.withLock { $0.additions.made(Applications.self).all = applied }
    }

    private var ownAssemblies: AppliedAssemblies {
        state.withLock { $0.additions.find(Applications.self)?.all } ?? AppliedAssemblies()
    }

    /// Plans what is given to `apply`, and notes it as applied.
    ///
    /// Who calls it has the turn to apply.
    ///
    /// - Throws: ``AssemblyConflict``
    func plan(
        _ given: [any Assembly],
        at place: CodePlace
    ) throws(AssemblyConflict) -> [any Assembly] {
        let plan = try AssemblyPlan(
            given,
            after: ownAssemblies,
            under: chain.dropFirst().map(\.ownAssemblies),
            at: place
        )
        state.withLock { $0.additions.made(Applications.self).all = plan.applied }
        return plan.order
    }
}
