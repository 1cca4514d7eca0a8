/// Registers the services of one part of an app.
///
/// ```swift
/// struct FeedAssembly: Assembly {
///     func assemble(container: Container) {
///         container.register(Feed.self) { resolver in LiveFeed(api: resolver ~> API.self) }
///     }
/// }
/// ```
public protocol Assembly {
    /// Registers services.
    func assemble(container: Container)
    /// Called when all assemblies that are applied together have registered theirs.
    func loaded(resolver: any Resolver)
}

extension Assembly {
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
