/// What every optional can say of itself without its type being known.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrappedAny: Any? { get }
    /// The optional of what a box of its wrapped type holds, in a box of its own type.
    static func boxed(_ wrapped: AnyBox?) -> AnyBox
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedAny: Any? { self }

    static func boxed(_ wrapped: AnyBox?) -> AnyBox {
        Box<Wrapped?>(wrapped.map { unsafeDowncast($0, to: Box<Wrapped>.self).value })
    }
}
