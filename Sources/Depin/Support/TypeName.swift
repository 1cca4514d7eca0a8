/// The name by which a person knows a type: no module, no `any`.
func readableName(of type: Any.Type) -> String {
    let name = String(describing: type)
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
}
