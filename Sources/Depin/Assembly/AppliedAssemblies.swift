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
/// Each assembly is indented under the one that requires it.
public struct AppliedAssemblies: Sendable {
    /// What was given to `apply`, in that order.
    var given: [Need] = []
    /// In the order in which the needs were met.
    var applications: [Application] = []
    /// The types that came from a parent's assembler.
    var inherited: Set<ObjectIdentifier> = []

    /// A type that was given or required, and the types that were applied for it: itself, unless there are
    /// replacements.
    struct Need: Sendable {
        let type: Any.Type
        var metBy: [Any.Type]
    }

    /// An assembly that was applied.
    struct Application: Sendable {
        let type: Any.Type
        /// The assembly, where it can be compared; only who has the turn to apply does.
        nonisolated(unsafe) let value: (any Equatable)?
        /// Who required it first; nil where it was given to `apply`.
        let requirer: Any.Type?
        let replaces: [Any.Type]
        var needs: [Need] = []
    }

    /// The types of the assemblies, each after those that it requires.
    public internal(set) var types: [Any.Type] = []

    /// The types of the assemblies that require one of a type, or of one that was applied in its place.
    public func requirers(of type: Any.Type) -> [Any.Type] {
        applications.filter { application in
            application.needs.contains { need in
                need.type == type || need.metBy.contains { $0 == type }
            }
        }
        .map(\.type)
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
            let needs = applied.given + applied.applications.flatMap(\.needs)
            name = TypeNames(needs.flatMap { [$0.type] + $0.metBy })
        }

        mutating func add(_ need: Need, depth: Int) {
            for type in need.metBy {
                var line = String(repeating: "  ", count: depth) + name(type)
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

/// Two different assemblies of one type cannot both be applied.
///
/// An assembler applies a required type once, so it cannot know which of the two you mean. It compares
/// assemblies that are `Equatable`.
public struct AssemblyConflict: Error, Sendable, CustomStringConvertible {
    /// The type of both assemblies.
    public let type: Any.Type
    /// The types of the assemblies that require the first and the second; nil for one passed to `apply`.
    public let requirers: (first: Any.Type?, second: Any.Type?)

    /// Who requires which, and what to do.
    public var description: String {
        let name = TypeNames([type, requirers.first, requirers.second].compactMap(\.self))
        func origin(_ requirer: Any.Type?) -> String {
            requirer.map { "required by \(name($0))" } ?? "given to apply"
        }
        return """
            two values of \(name(type)) differ, and an assembler applies one of each type
              one is \(origin(requirers.first)), the other is \(origin(requirers.second))
              fix: require equal values, or drop one of the two
            """
    }
}
