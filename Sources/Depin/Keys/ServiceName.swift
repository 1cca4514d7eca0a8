/// The name of one of several registrations of the same type.
///
/// A string is a name. An enum with string raw values only has to declare the conformance:
///
/// ```swift
/// enum FeedBus: String, ServiceName { case refresh, logout }
///
/// container.register(EventEmitter<Void>.self, name: FeedBus.refresh) { EventEmitter() }
/// let refresh = container ~> (EventEmitter<Void>.self, name: FeedBus.refresh)
/// ```
///
/// Only the ``name`` string counts in the key, so `FeedBus.refresh` and `"refresh"` are the same
/// registration.
public protocol ServiceName: Sendable {
    /// The string in the key.
    var name: String { get }
}

extension ServiceName where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var name: String { rawValue }
}

extension String: ServiceName {
    /// The string itself.
    public var name: String { self }
}
