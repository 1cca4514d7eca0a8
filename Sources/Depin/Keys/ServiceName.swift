/// The name of one of several registrations of the same type.
///
/// A string is one. An enumeration with string raw values conforms by saying so:
///
/// ```swift
/// enum FeedBus: String, ServiceName { case refresh, logout }
///
/// container.register(EventEmitter<Void>.self, name: FeedBus.refresh) { EventEmitter() }
/// let refresh = container ~> (EventEmitter<Void>.self, name: FeedBus.refresh)
/// ```
///
/// In the key a name is its ``name`` string and nothing more, so `FeedBus.refresh` and `"refresh"`
/// mean the same registration.
public protocol ServiceName: Sendable {
    /// The string that stands in the key.
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
