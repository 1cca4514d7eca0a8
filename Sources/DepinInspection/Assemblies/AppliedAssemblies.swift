import Depin

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
    private let given: [Applications.Need]
    private let all: [Applications.Application]
    /// The types of the assemblies, each after those that it requires.
    public let types: [Any.Type]
    /// The places of all registrations and decorators, in the order in which they were added.
    private let added: [(number: UInt, place: CodePlace)]

    fileprivate init(to engine: Engine) {
        let applications = engine.applications
        (given, all, types) = (applications.given, applications.all, applications.types)
        added =
            (engine.registry.slots.map { ($0.registration.number, $0.registration.place) }
            + engine.decorators.map { ($0.number, $0.place) }).sorted { $0.number < $1.number }
    }

    /// The types of the assemblies that require one of a type, or of one that was applied in its place.
    public func requirers(of type: Any.Type) -> [Any.Type] {
        all.filter { application in
            application.needs.contains { need in
                need.type == type || need.metBy.contains { $0 == type }
            }
        }
        .map(\.type)
    }
}

extension Assembler {
    /// What has been applied to this assembler's container, and why.
    ///
    /// ```swift
    /// print(assembler.appliedAssemblies)
    /// // AppAssembly
    /// //   FeedAssembly
    /// //     FakeNetworkAssembly in place of NetworkAssembly
    /// ```
    public var appliedAssemblies: AppliedAssemblies {
        AppliedAssemblies(to: container.engine.inForce)
    }
}

extension AppliedAssemblies: CustomStringConvertible {
    /// A tree that shows, under each assembly, those that it requires.
    public var description: String {
        var lines: [String] = []
        var shown: [Any.Type] = []
        let needs = given + all.flatMap(\.needs)
        let name = TypeNames(needs.flatMap { [$0.type] + $0.metBy })
        func write(_ need: Applications.Need, _ indentation: String) {
            for type in need.metBy {
                let known = all.filter { $0.type == type }
                let needs = known.flatMap(\.needs)
                var line = indentation + name(type)
                let hasNamesake = all.contains { $0.type != type && name($0.type) == name(type) }
                if let first = known.first, hasNamesake {
                    line += " at \(beginning(of: first))"
                }
                if type != need.type { line += " in place of \(name(need.type))" }
                let isRepeated = shown.contains { $0 == type }
                if known.isEmpty {
                    line += " (of a parent)"
                } else if isRepeated, !needs.isEmpty {
                    line += " (see above)"
                }
                lines.append(line)
                shown.append(type)
                if !isRepeated { for need in needs { write(need, indentation + "  ") } }
            }
        }
        for need in given { write(need, "") }
        return lines.isEmpty ? "no assembly was applied" : lines.joined(separator: "\n")
    }

    /// The place where an assembly begins to register, which tells it from others; or else where it was applied.
    private func beginning(of application: Applications.Application) -> CodePlace {
        let first = added.first { application.numbers?.contains($0.number) == true }
        return first?.place ?? application.place
    }
}
