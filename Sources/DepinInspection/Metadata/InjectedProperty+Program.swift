import Depin

extension InjectedProperty {
    /// Every `@Injected` property that the program declares, sorted.
    ///
    /// ```swift
    /// @Test func `is wired`() throws {
    ///     let app = Assembler([AppAssembly()])
    ///     try app.validate(.init(injected: InjectedProperty.ofThisProgram(modules: ["App", "Feed"])))
    /// }
    /// ```
    ///
    /// The properties are read from the runtime's metadata of all linked and loaded types: of structs,
    /// classes, actors and enum payloads, of private, local and generic types, and constants of type
    /// `Injected<…>`. This runs nothing and makes none of these types.
    ///
    /// If a property's service depends on the parameter of a generic type, its ``serviceType`` is nil, and
    /// its ``note`` says why. The metadata does not contain the name or assembler of a property, nor
    /// `@Injected` globals, static properties and local variables.
    ///
    /// Use it in tests, which are built without optimization: an optimized build omits types that nothing
    /// uses. It works on Linux and on Apple platforms; elsewhere it finds no properties.
    ///
    /// - Parameter modules: The modules to search; nil for all, including the tests. A validation fails if one of
    ///   them is not in the program.
    /// - Returns: The properties by owner and name.
    public static func ofThisProgram(modules: [String]? = nil) -> [InjectedProperty] {
        let wrapper = ContextDescriptor(of: Injected<Any>.self)
        let descriptors = Array(FieldDescriptor.ofThisProgram)
        if descriptors.isEmpty { return [.unseen(in: nil)] }
        let known = modules == nil ? [] : Set(descriptors.compactMap(\.owner?.module))
        let unknown = Set(modules ?? []).subtracting(known)
        return descriptors.flatMap { $0.properties(of: wrapper, in: modules) }
            .sorted { $0.order < $1.order } + unknown.sorted().map(InjectedProperty.unseen)
    }

    private var order: (String, String, String) { (owner, name, description) }
}

extension FieldDescriptor {
    fileprivate func properties(
        of wrapper: ContextDescriptor,
        in modules: [String]?
    ) -> [InjectedProperty] {
        fields.flatMap { field -> [InjectedProperty] in
            guard let type = field.type, type.mentions(wrapper), let owner,
                modules?.contains(owner.module) ?? true
            else { return [] }
            let services: [Any.Type?] =
                if let type = type.type {
                    injectedServices(in: type)
                } else {
                    type.isMade(of: wrapper) ? [nil] : []
                }
            let generic = "its service depends on a generic parameter of \(owner.path)"
            return services.map { service in
                InjectedProperty(
                    owner: owner.path,
                    name: field.name,
                    serviceType: service,
                    note: service == nil ? generic : nil,
                    module: owner.module
                )
            }
        }
    }
}

/// The services of the property wrappers in a stored property's type.
///
/// One for a wrapper, or an optional one, as in a `lazy` property; one for each in a tuple, as in a case's payload;
/// none for other types.
private func injectedServices(in type: Any.Type) -> [Any.Type] {
    if let wrapper = type as? any InjectedType.Type { return [wrapper.serviceType] }
    if let optional = type as? any OptionalValue.Type {
        return injectedServices(in: optional.wrappedType)
    }
    return elements(ofTuple: type)?.flatMap(injectedServices) ?? []
}

/// A property wrapper with whatever service.
private protocol InjectedType {
    static var serviceType: Any.Type { get }
}

extension Injected: InjectedType {
    fileprivate static var serviceType: Any.Type { Service.self }
}
