// What to do about a missing registration.

extension ResolutionError {
    /// The type to register: the service in a `Lazy` or `Provider`, or else the requested one.
    var neededType: Any.Type {
        guard case .notRegistered(let hints) = failure else { return request.serviceType }
        for case .needed(let key) in hints.all.reversed() { return key.serviceType }
        return request.serviceType
    }
}

extension ResolutionError.Wording {
    func fixes(by hints: [ResolutionError.Hint]) -> String {
        var (fixes, isGuessed) = ([String](), true)
        for hint in hints {
            switch hint {
            // What makes the request does not answer it.
            case .registered(let it, .conforming), .registered(let it, .similar):
                if error.path.contains(where: { $0.registeredAt == it.place }) { continue }
                if case .registered(_, .conforming) = hint { isGuessed = false }
            default: isGuessed = false
            }
            fixes.append(sentence(hint))
        }
        if isGuessed { fixes.append("register it, or apply the assembly that does") }
        if let step = error.path.last, step.isAutoregistered, error.request.key.deferral == .none,
            !TypeFacts.of(error.neededType).isExistential
        {
            fixes.append(
                "register \(text(step.request.key)) with a factory, if the parameter has a default"
                    + " value: `autoregister` passes every argument"
            )
        }
        return fixes.joined(separator: "\n   or: ")
    }

    @_optimize(size)
    private func sentence(_ hint: ResolutionError.Hint) -> String {
        switch hint {
        case .nothingRegistered:
            "nothing at all is registered here: apply the assemblies first"
                + (error.request.injectedAt == nil
                    ? ""
                    : ", to `SpaceValues.current.dependenciesAssembler` unless the property names"
                        + " another assembler")
        case .needed(let key):
            "register \(text(key)): \(name(error.request.serviceType)) comes with it"
        case .more(let count):
            "request it by one of \(count) more names or lists of arguments under which it is registered"
        case .seed(let scope, nil):
            "register it, or apply the assembly that does; if only scope \(scope) knows it, it is a"
                + " seed: open the scope in the validation, `validate(.init(open: […]))`, and register a"
                + " stand-in for it in `standIns`, or name it in the option `providing`"
        case .seed(let scope, let place?):
            "register it, or apply the assembly that does; if only scope \(scope) knows it, it is a seed: pass"
                + " `seeding: { $0.register(\(metatype)\(nameArgument), …) }` where the scope is opened,"
                + " at \(place)"
        case .registered(let it, .linkedTwice):
            "link its module once: the type of that name registered at \(it.place)"
                + " is another copy of this one"
        case .registered(let it, .otherKey):
            // The request may mean a `Lazy` of the type.
            advice(for: it.key.with(error.request.serviceType), at: it.place)
        case .registered(let it, .contributed):
            "request [\(error.request.name == nil ? "" : "String: ")\(name(it.key.serviceType))],"
                + " to which \(it.place) contributes, or register it there instead"
        case .registered(let it, .optional):
            "register \(name(error.neededType)) itself, or \(advice(for: it.key, at: it.place)):"
                + " only the optional is registered"
        case .registered(let it, .conforming):
            "add .implements(\(metatype)\(nameArgument))"
                + " to \(text(it.key)), registered at \(it.place)"
        case .registered(let it, .inChild):
            "request it from the child container that registers it at \(it.place):"
                + " only that container and its own children see it"
        case .registered(let it, .inSpace(let other)):
            "request it from the space's \(other), for example with `@Injected(assembler:)`"
                + " and the key path of its property of SpaceValues: it is registered there, at \(it.place)"
        case .registered(let it, .similar):
            "did you mean \(text(it.key)), registered at \(it.place)?"
        }
    }

    /// The request's name as an argument in code.
    private var nameArgument: String { error.request.name.map { ", name: \"\($0)\"" } ?? "" }

    /// The type to register as it is written in code: a composition needs parentheses.
    var metatype: String {
        let type = name(error.neededType)
        return type.contains(" & ") ? "(\(type)).self" : "\(type).self"
    }

    private func advice(for key: ServiceKey, at place: CodePlace) -> String {
        var text = "request \(factory(of: key) ?? text(key))"
        if key.isForAnyName, key.name == nil, error.request.name == nil {
            text += ", which the request gives"
        }
        if key.name == nil, !key.isForAnyName, error.request.name != nil {
            text += " without a name"
        }
        if key.argumentTypes.isEmpty, !error.request.argumentTypes.isEmpty {
            text += " without arguments"
            // A name without its label is taken for an argument.
            if let named = key.name, error.request.name == nil {
                text += ", as in (\(name(key.serviceType)).self, name: \"\(named)\")"
            }
        }
        return text + ", registered at \(place)"
    }

    /// The type that gives the service for later arguments: for a property, and if a `ServiceFactory` or a `Provider`
    /// was requested.
    private func factory(of key: ServiceKey) -> String? {
        let arguments = key.argumentTypes
        let deferral = error.request.key.deferral
        // A property's type and a parameter's say all that is requested.
        let isProperty =
            error.request.injectedAt != nil || error.request.property != nil
            || error.path.last?.isAutoregistered == true
        guard
            deferral == .factory || !arguments.isEmpty && (isProperty || deferral == .provider)
        else { return nil }
        // The request may mean the optional of the type.
        let isOther = key.serviceType != error.request.serviceType
        return (arguments.isEmpty ? "Provider<" : "ServiceFactory<")
            + name.list([isOther ? key.serviceType : error.neededType] + arguments) + ">"
            + key.nameText
    }
}
