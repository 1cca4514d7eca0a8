import Depin

/// An `@Injected` property of the program, for a validation to look at.
///
/// ```swift
/// try assembler.validate(injected: InjectedProperty.ofThisProgram())
/// ```
///
/// `InjectedProperty.ofThisProgram(modules:)` finds them. What cannot be known of a property is in its
/// ``note``, which the report of the validation shows.
public struct InjectedProperty: Sendable, CustomStringConvertible {
    /// The type that has the property, as in source code: `FeedScreen`, or `Screens.Feed`.
    public let owner: String
    /// The name of the property.
    public let name: String
    /// The type of the service, as the property declares it; nil where it cannot be known, as in a
    /// generic type whose parameter it depends on.
    public let serviceType: Any.Type?
    /// What cannot be known of the property; nil where everything is.
    public let note: String?

    package init(owner: String, name: String, serviceType: Any.Type?, note: String? = nil) {
        self.owner = owner
        self.name = name
        self.serviceType = serviceType
        self.note = note
    }

    /// `FeedScreen.feed: FeedService`.
    public var description: String {
        let type = serviceType.map { readableName(of: $0) } ?? "?"
        return "\(owner).\(name): \(type)"
    }
}
