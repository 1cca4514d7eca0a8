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
/// One that needs the registrations of others requires them, and an ``Assembler`` applies those before it:
///
/// ```swift
/// struct FeedAssembly: Assembly {
///     var requires: [any Assembly] { [NetworkAssembly(), LogAssembly()] }
///     …
/// }
/// ```
public protocol Assembly {
    /// What is applied before this one, each type once.
    ///
    /// It is empty unless it is written. Assemblies may require each other in a circle: then the first one
    /// that is met comes last, which is good as long as none resolves anything in ``assemble(container:)``.
    /// It is read whenever an assembler decides what to apply, so let it give the same each time.
    var requires: [any Assembly] { get }
    /// The types of the assemblies in whose place this one is applied.
    ///
    /// It is empty unless it is written. It is for tests and demonstrations:
    ///
    /// ```swift
    /// struct FakeNetworkAssembly: Assembly {
    ///     var replaces: [any Assembly.Type] { [NetworkAssembly.self] }
    ///     …
    /// }
    /// assembler.apply { AppAssembly(); FakeNetworkAssembly() }     // whoever requires NetworkAssembly
    /// ```
    ///
    /// It goes for what is applied with this one or later, whether it is required or given to `apply`. What was
    /// applied before stays, and is registered over.
    var replaces: [any Assembly.Type] { get }
    /// Registers services.
    func assemble(container: Container)
    /// Called when all assemblies that are applied together have registered theirs.
    func loaded(resolver: any Resolver)
}

extension Assembly {
    /// Nothing.
    public var requires: [any Assembly] { [] }

    /// Nothing.
    public var replaces: [any Assembly.Type] { [] }

    /// Does nothing.
    public func loaded(resolver: any Resolver) {}
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

    /// What the lines give, in their order.
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
