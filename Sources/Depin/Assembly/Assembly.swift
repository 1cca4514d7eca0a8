/// Registers the services of one part of an app.
///
/// ```swift
/// struct FeedAssembly: Assembly {
///     func assemble(container: Container) {
///         container.register(Feed.self) { resolver in LiveFeed(api: resolver ~> API.self) }
///     }
/// }
/// ```
///
/// An assembly that needs the registrations of others requires them, and an ``Assembler`` applies those
/// first:
///
/// ```swift
/// struct FeedAssembly: Assembly {
///     var requires: [any Assembly] { [NetworkAssembly(), LogAssembly()] }
///     …
/// }
/// ```
public protocol Assembly {
    /// The assemblies to apply before this one, each type once.
    ///
    /// Empty by default. Assemblies may require each other in a circle. The assembler then applies the
    /// first one last, which works as long as none resolves anything in ``assemble(container:)``. The
    /// assembler may read this property several times, so return the same assemblies each time.
    var requires: [any Assembly] { get }
    /// The types of the assemblies that this one replaces.
    ///
    /// Empty by default. Use it in tests and demonstrations:
    ///
    /// ```swift
    /// struct FakeNetworkAssembly: Assembly {
    ///     var replaces: [any Assembly.Type] { [NetworkAssembly.self] }
    ///     …
    /// }
    /// assembler.apply { AppAssembly(); FakeNetworkAssembly() }     // whoever requires NetworkAssembly
    /// ```
    ///
    /// This assembly replaces those applied with it or later, whether they are required or passed to
    /// `apply`; also one that it requires itself. It may itself be required, even if only an assembly that
    /// is replaced requires it. One that was applied earlier stays, and this one registers over it.
    /// Assemblies that replace each other are an ``AssemblyConflict``.
    var replaces: [any Assembly.Type] { get }
    /// Registers services.
    func assemble(container: Container)
    /// Called after all assemblies applied together have registered their services.
    func loaded(resolver: any Resolver)
}

extension Assembly {
    /// Nothing.
    public var requires: [any Assembly] { [] }

    /// Nothing.
    public var replaces: [any Assembly.Type] { [] }

    /// Does nothing.
    public func loaded(resolver: any Resolver) {}

    /// The types that this assembly replaces, without its own.
    var replaced: [Any.Type] { replaces.filter { $0 != Self.self } }
}

/// Builds a list of assemblies from a closure with one in each line.
///
/// It takes `if`, `if let`, `switch`, `for` and arrays too (SE-0289).
@resultBuilder
public enum AssemblyResultBuilder {
    /// One assembly.
    public static func buildExpression(_ assembly: any Assembly) -> [any Assembly] {
        [assembly]
    }

    /// An array of assemblies.
    public static func buildExpression(_ assemblies: [any Assembly]) -> [any Assembly] {
        assemblies
    }

    /// The assemblies of the lines, in order.
    public static func buildBlock(_ parts: [any Assembly]...) -> [any Assembly] {
        parts.flatMap(\.self)
    }

    /// An `if` without `else`.
    public static func buildOptional(_ part: [any Assembly]?) -> [any Assembly] {
        part ?? []
    }

    /// The first branch of an `if` or `switch`.
    public static func buildEither(first part: [any Assembly]) -> [any Assembly] {
        part
    }

    /// The other branch of an `if` or `switch`.
    public static func buildEither(second part: [any Assembly]) -> [any Assembly] {
        part
    }

    /// A `for` loop.
    public static func buildArray(_ parts: [[any Assembly]]) -> [any Assembly] {
        parts.flatMap(\.self)
    }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ part: [any Assembly]) -> [any Assembly] {
        part
    }
}
