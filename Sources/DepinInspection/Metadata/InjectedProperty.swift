import Depin

/// An `@Injected` property of the program, for a validation to check.
///
/// ```swift
/// try assembler.validate(.init(injected: InjectedProperty.ofThisProgram()))
/// ```
///
/// `InjectedProperty.ofThisProgram(modules:)` finds them. A ``note`` says what is unknown about a property,
/// and the validation's report shows it.
public struct InjectedProperty: Sendable, CustomStringConvertible {
    /// The type that has the property, as in source code: `FeedScreen`, or `Screens.Feed`.
    public let owner: String
    /// The name of the property.
    public let name: String
    /// The type of the service, as the property declares it; nil if it depends on the parameter of a
    /// generic type.
    public let serviceType: Any.Type?
    /// What is unknown about the property; nil if nothing is.
    public internal(set) var note: String?
    /// The module that declares the owner, if it is known.
    ///
    /// If this stands for properties that were not found, the module that was to be searched and is not there.
    var module: String?

    /// Stands for the properties of a module that is not there, or for all properties, if they cannot be found.
    static func unseen(in module: String?) -> InjectedProperty {
        let note = module == nil ? "this platform does not list them" : nil
        return InjectedProperty(owner: "", name: "", serviceType: nil, note: note, module: module)
    }

    /// True if it stands for properties that were not found.
    var isUnseen: Bool { owner.isEmpty }

    /// `FeedScreen.feed: FeedService`.
    public var description: String {
        if isUnseen {
            return "the properties of " + (module.map { "module \($0)" } ?? "the program")
        }
        let type = serviceType.map { readableName(of: $0) } ?? "?"
        return "\(owner).\(name): \(type)"
    }
}
