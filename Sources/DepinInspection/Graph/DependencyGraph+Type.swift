import Depin

extension DependencyGraph.Node {
    /// The type of the service, by which DepinInspection finds what a report says of it; nil for a property.
    package var type: Any.Type? { serviceType }
}
