/// The assemblies that were applied to a container, and why.
package struct Applications {
    /// The assemblies that were given to `apply`, in order.
    package internal(set) var given: [Need] = []
    /// The applications, in the order in which they met a need.
    package internal(set) var all: [Application] = []

    /// A type that was given or required, and the types that were applied for it: the type itself, or its replacements.
    package typealias Need = (type: Any.Type, metBy: [Any.Type])

    /// An assembly that was applied.
    package struct Application: Sendable {
        package let type: Any.Type
        /// The assembly, if it can be compared; only the holder of the turn to apply uses it.
        private nonisolated(unsafe) let value: (any Equatable)?
        /// The type that required it first; nil if it was given to `apply`.
        let requirer: Any.Type?
        package let replaces: [Any.Type]
        /// Where it was applied.
        package let place: CodePlace
        package internal(set) var needs: [Need] = []
        /// The numbers of the registrations and decorators that it added.
        package internal(set) var numbers: Range<UInt>?
        /// Those that an equal assembly added when it was applied again.
        package internal(set) var repeated: Range<UInt>?

        @inline(never)
        init(_ assembly: any Assembly, for requirer: Any.Type?, at place: CodePlace) {
            type = Swift.type(of: assembly)
            value = assembly as? any Equatable
            self.requirer = requirer
            replaces = assembly.replaced
            self.place = place
        }

        func isSame(as other: Application) -> Bool {
            replaces.elementsEqual(other.replaces) { $0 == $1 } && isEqual(to: other.value)
        }

        /// False if another assembly of the same type is known to differ.
        func isEqual(to other: Any?) -> Bool {
            func equals<Value: Equatable>(_ value: Value) -> Bool { value == other as? Value }
            return value.map { equals($0) } ?? true
        }
    }

    /// The types, each after the types that it requires.
    package internal(set) var types: [Any.Type] = []

    /// What is planned, and perhaps not begun yet; only the holder of the turn to apply uses it.
    var planned: [PlannedAssembly] = []

    /// The applications to an engine.
    final class OfEngine: EngineAddition {
        var applications = Applications()

        override var forked: EngineAddition? {
            let forked = OfEngine()
            forked.applications = applications
            forked.applications.planned = []
            return forked
        }
    }
}

/// An assembly that is to be applied.
///
/// Only the holder of the turn to apply uses it.
final class PlannedAssembly {
    let assembly: any Assembly
    /// The index of its application.
    let index: Int
    /// True once it is being applied, perhaps by an `apply` inside of an assembly.
    var hasBegun = false
    /// True if an `apply` around this one has planned it first, which tells it that all are loaded.
    var isTaken = false
    /// The numbers of the registrations and decorators that it has added.
    var numbers: Range<UInt>?

    init(_ assembly: any Assembly, _ index: Int) {
        (self.assembly, self.index) = (assembly, index)
    }
}

extension [Any.Type] {
    @inline(never)
    func contains(_ type: Any.Type) -> Bool { contains { $0 == type } }

    /// Appends a type, unless it is there.
    mutating func appendNew(_ type: Any.Type) {
        if !contains(type) { append(type) }
    }
}

extension [Applications.Need] {
    /// Appends a need, unless it is there.
    mutating func appendNew(_ need: Element) {
        let isKnown = contains { known in
            known.type == need.type && known.metBy.elementsEqual(need.metBy) { $0 == $1 }
        }
        if !isKnown { append(need) }
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
    public internal(set) var requirers: (first: Any.Type?, second: Any.Type?) = (nil, nil)
    /// The types that replace each other: each replaces the next, and the last one the first.
    var circle: [Any.Type] = []
    /// Where the assemblies were applied.
    let place: CodePlace

    /// Who requires which, where they were applied, and what to do.
    @_optimize(size)
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
