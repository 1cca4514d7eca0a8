/// The assemblies that were applied to a container, and why.
///
/// ```swift
/// print(assembler.appliedAssemblies)
/// // AppAssembly
/// //   FeedAssembly
/// //     FakeNetworkAssembly in place of NetworkAssembly
/// //     LogAssembly
/// //   LogAssembly (see above)
/// ```
///
/// Each assembly is indented under the one that requires it. Assemblies that share a name show the line of
/// their first registration.
public struct AppliedAssemblies: Sendable {
    /// What was given to `apply`, in that order.
    var given: [Need] = []
    /// In the order in which the needs were met.
    var applications: [Application] = []
    /// Where the last application of each type stands.
    private var lastOfType: [ObjectIdentifier: Int] = [:]
    /// The types of which an equal assembly was applied once more.
    private var repeated: Set<ObjectIdentifier> = []
    /// The types that came from a parent's assembler.
    var inherited: Set<ObjectIdentifier> = []
    /// What each type registered, and when it was the same again.
    var runs: [ObjectIdentifier: Run] = [:]
    /// Where those begin to register that share a name with another.
    fileprivate(set) var places: [ObjectIdentifier: CodePlace] = [:]

    /// The numbers of the registrations and decorators that an assembly added.
    struct Run: Sendable {
        let type: Any.Type
        let first: Range<UInt>
        /// Those that it added when an equal assembly was applied once more.
        var again: Range<UInt>?
    }

    /// A type that was given or required, and the types that were applied for it: itself, unless there are
    /// replacements.
    struct Need: Sendable {
        let type: Any.Type
        var metBy: [Any.Type]

        fileprivate func isSame(as other: Need) -> Bool {
            type == other.type && metBy.elementsEqual(other.metBy) { $0 == $1 }
        }
    }

    /// An assembly that was applied.
    struct Application: Sendable {
        let type: Any.Type
        /// The assembly, where it can be compared; only who has the turn to apply does.
        nonisolated(unsafe) let value: (any Equatable)?
        /// Who required it first; nil where it was given to `apply`.
        let requirer: Any.Type?
        let replaces: [Any.Type]
        /// Where it was applied.
        let place: CodePlace
        var needs: [Need] = []

        fileprivate func isSame(as other: Application) -> Bool {
            func isEqual<Value: Equatable>(_ value: Value) -> Bool {
                value == other.value as? Value
            }
            return type == other.type && requirer == other.requirer
                && replaces.elementsEqual(other.replaces) { $0 == $1 }
                && value.map { isEqual($0) } ?? (other.value == nil)
        }
    }

    /// The types of the assemblies, each after those that it requires.
    public private(set) var types: [Any.Type] = []
    private var knownTypes: Set<ObjectIdentifier> = []

    /// The types of the assemblies that require one of a type, or of one that was applied in its place.
    public func requirers(of type: Any.Type) -> [Any.Type] {
        applications.filter { application in
            application.needs.contains { need in
                need.type == type || need.metBy.contains { $0 == type }
            }
        }
        .map(\.type)
    }

    /// Notes a need of what was given, unless it is the same again.
    mutating func note(_ need: Need) {
        if !given.contains(where: { $0.isSame(as: need) }) { given.append(need) }
    }

    /// Notes an application, unless it is the last one of its type again, and says where.
    mutating func note(_ application: Application) -> (index: Int, isNew: Bool) {
        let type = ObjectIdentifier(application.type)
        if let last = lastOfType[type], applications[last].isSame(as: application) {
            repeated.insert(type)
            return (last, false)
        }
        applications.append(application)
        lastOfType[type] = applications.count - 1
        return (applications.count - 1, true)
    }

    /// Notes a need of an application, unless it is the same again.
    mutating func note(_ need: Need, of index: Int) {
        guard !applications[index].needs.contains(where: { $0.isSame(as: need) }) else { return }
        applications[index].needs.append(need)
    }

    /// Notes that a type has been applied, after those that it requires.
    mutating func note(_ type: Any.Type) {
        if knownTypes.insert(ObjectIdentifier(type)).inserted { types.append(type) }
    }

    /// Notes what an assembly has added.
    mutating func note(_ numbers: Range<UInt>, of type: Any.Type) {
        let identity = ObjectIdentifier(type)
        guard runs[identity] != nil else {
            runs[identity] = Run(type: type, first: numbers)
            return
        }
        if repeated.contains(identity) { runs[identity]?.again = numbers }
    }

    /// Notes where those of one name begin to register, by which a reader tells them apart; or else where they were
    /// applied.
    mutating func notePlaces(of added: () -> [(number: UInt, place: CodePlace)]) {
        let name = names
        let alike = Dictionary(grouping: applications) { name($0.type) }.values
            .filter { alike in alike.contains { $0.type != alike[0].type } }
        guard !alike.isEmpty else { return }
        let added = added().ordered { $0.number < $1.number }
        for application in alike.joined() {
            let type = ObjectIdentifier(application.type)
            let numbers = runs[type]?.first ?? 0..<0
            places[type] = added.first { numbers.contains($0.number) }?.place ?? application.place
        }
    }

    /// Names for all of its types.
    fileprivate var names: TypeNames {
        let needs = given + applications.flatMap(\.needs)
        return TypeNames(needs.flatMap { [$0.type] + $0.metBy })
    }

    /// The applications of a type.
    func applications(of type: Any.Type) -> [Application] {
        applications.filter { $0.type == type }
    }

    /// The assemblies that were to stand for another, which nobody has given or required, and that type.
    package var idleReplacements: [(assembly: Any.Type, replaced: Any.Type)] {
        let needs = given + applications.flatMap(\.needs)
        let known = Set((needs.map(\.type) + applications.map(\.type)).map { ObjectIdentifier($0) })
            .union(inherited)
        return applications.flatMap { application in
            application.replaces.filter { !known.contains(ObjectIdentifier($0)) }
                .map { (application.type, $0) }
        }
    }
}

/// What was applied to one container.
final class Applications: EngineAddition {
    var all = AppliedAssemblies()

    override var forked: EngineAddition? {
        let forked = Applications()
        forked.all = all
        return forked
    }
}

extension AppliedAssemblies: CustomStringConvertible {
    /// A tree that shows, under each assembly, those that it requires.
    public var description: String {
        var tree = Tree(self)
        for need in given { tree.add(need, depth: 0) }
        return tree.lines.isEmpty ? "no assembly was applied" : tree.lines.joined(separator: "\n")
    }

    private struct Tree {
        private let applied: AppliedAssemblies
        private let name: TypeNames
        private var known: Set<ObjectIdentifier> = []
        private(set) var lines: [String] = []

        init(_ applied: AppliedAssemblies) {
            self.applied = applied
            name = applied.names
        }

        mutating func add(_ need: Need, depth: Int) {
            for type in need.metBy {
                var line = String(repeating: "  ", count: depth) + name(type)
                if let place = applied.places[ObjectIdentifier(type)] {
                    line += " at \(place)"
                }
                if type != need.type { line += " in place of \(name(need.type))" }
                let applications = applied.applications(of: type)
                let needs = applications.flatMap(\.needs)
                if applications.isEmpty {
                    line += " (of a parent)"
                } else if !known.insert(ObjectIdentifier(type)).inserted {
                    lines.append(needs.isEmpty ? line : line + " (see above)")
                    continue
                }
                lines.append(line)
                for need in needs { add(need, depth: depth + 1) }
            }
        }
    }
}

/// Two different assemblies of one type cannot both be applied, and neither can two that replace each other.
///
/// An assembler applies a required type once, so it cannot know which of the two you mean. It compares
/// assemblies that are `Equatable`.
public struct AssemblyConflict: Error, Sendable, CustomStringConvertible {
    /// The type of both assemblies, or the first of those that replace each other.
    public let type: Any.Type
    /// The types of the assemblies that require the first and the second; nil for one passed to `apply`, and
    /// where assemblies replace each other.
    public let requirers: (first: Any.Type?, second: Any.Type?)
    /// The types that replace each other, each the next one, and the last one the first one.
    var circle: [Any.Type] = []
    /// Where the assemblies were applied.
    let place: CodePlace

    /// Who requires which, where they were applied, and what to do.
    public var description: String {
        let name = TypeNames([type, requirers.first, requirers.second].compactMap(\.self) + circle)
        func origin(_ requirer: Any.Type?) -> String {
            requirer.map { "required by \(name($0))" } ?? "passed to apply"
        }
        guard circle.isEmpty else {
            return """
                assemblies replace each other: \((circle + [type]).map { name($0) }.joined(separator: " → "))
                  applied at \(place)
                  fix: remove one of them, or one of the types in `replaces`
                """
        }
        return """
            two values of \(name(type)) differ, and an assembler applies one of each type
              one is \(origin(requirers.first)), the other is \(origin(requirers.second))
              applied at \(place)
              fix: require equal values, or remove one of the two
            """
    }
}
