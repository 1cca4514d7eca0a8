/// What every optional can say of itself without its type being known.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedAny: Any? { self }
}
