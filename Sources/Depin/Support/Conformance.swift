/// True when every instance of one type is an instance of the other, as far as the types alone tell.
func isKnown(_ subtype: Any.Type, toBe type: Any.Type) -> Bool {
    func isSubclass<Class>(_: Class.Type) -> Bool { subtype is Class.Type }
    if _openExistential(type, do: isSubclass) { return true }
    // `LiveAPI.self is (any API).Type` is false, since that is the type of `(any API).self` alone. What
    // would be true, `is any API.Type`, cannot be written of a type that only the runtime knows, but
    // the runtime makes it of its name. It cannot of a private protocol's.
    guard let name = _mangledTypeName(type), let existential = _typeByName(name + "Xp") else {
        return false
    }
    func isMember<Metatype>(_: Metatype.Type) -> Bool { subtype is Metatype }
    return _openExistential(existential, do: isMember)
}

/// True when a value is an instance of a type that only the runtime knows.
func isInstance(_ value: Any, of type: Any.Type) -> Bool {
    func isInstance<Type>(_: Type.Type) -> Bool { value is Type }
    return _openExistential(type, do: isInstance)
}
