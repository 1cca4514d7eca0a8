/// An `@Injected` property of the program, as a validation is told of it.
///
/// DepinTesting reads them from the program's metadata.
package struct InjectedNeed: Sendable {
    /// The type that has the property.
    package let owner: String
    /// The name of the property.
    package let name: String
    /// The type of the service; nil where it cannot be known.
    package let serviceType: Any.Type?
    /// What is unknown about the property; nil if nothing is.
    package let note: String?

    package init(owner: String, name: String, serviceType: Any.Type?, note: String?) {
        self.owner = owner
        self.name = name
        self.serviceType = serviceType
        self.note = note
    }
}

extension InjectedNeed: CustomStringConvertible {
    /// Stands for all properties where they cannot be found.
    package static let unseen = InjectedNeed(
        owner: "",
        name: "",
        serviceType: nil,
        note: "this platform does not list them"
    )

    /// True where it stands for all properties.
    var isUnseen: Bool { owner.isEmpty }

    /// `FeedScreen.feed: Feed`.
    package var description: String {
        if isUnseen { return "the properties of the program" }
        let type = serviceType.map { readableName(of: $0) } ?? "?"
        return "\(owner).\(name): \(type)"
    }
}
