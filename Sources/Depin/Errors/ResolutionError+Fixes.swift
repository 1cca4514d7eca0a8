extension ResolutionError {
    /// What must be registered: the service in a `Lazy` or `Provider`, and else what was asked for.
    var neededType: Any.Type {
        guard case .notRegistered(let hints) = failure else { return request.serviceType }
        for case .needed(let key) in hints.all.reversed() { return key.serviceType }
        return request.serviceType
    }

    /// The types of the arguments that what was asked for takes, now or later.
    fileprivate var neededArguments: [Any.Type] {
        derivation(of: request.serviceType)?.sourceArguments?.types ?? request.argumentTypes
    }
}

// The words are optimized for size: every app carries them, and few are ever read.

extension ResolutionError.Wording {
    /// The likely fixes, the best first.
    @_optimize(size)
    var fixes: [String] {
        guard let surroundings = error.request.surroundings else { return fixesOfFailure }
        let fix =
            "the property was created outside the \(surroundings.rawValue) here;"
            + " create it inside, or pass the service as an argument"
        switch surroundings {
        case .scope:
            return [fix + ", or inject a `Provider`"]
        case .override:
            // A `Provider` made outside would not see the override either.
            return [fix] + fixesOfFailure
        }
    }

    @_optimize(size)
    private var fixesOfFailure: [String] {
        switch error.failure {
        case .circularDependency where isOfDecorator, .needsAwait where isOfDecorator:
            return [
                "use `inner`, the instance that the decorator receives, instead of requesting it again"
            ]
        case .notRegistered(let hints):
            let fixes = hints.all.map(sentence)
            return (fixes.isEmpty ? ["register it, or apply the assembly that does"] : fixes)
                + fixesOfInitializer
        case .circularDependency
        where !error.otherPath.isEmpty && error.path.contains { $0.isCompleting }:
            return [
                "take it as a `Lazy` or a `Provider`, and use that once both are built: the callback"
                    + " and the other one's factory wait for each other"
            ]
        case .circularDependency:
            return [
                "take one of them in `initCompleted`, as a `Lazy`, or through `@Injected`,"
                    + " so that it is requested after the other is built"
            ] + fixesOfTask
        case .recursionTooDeep:
            return ["the recursion does not seem to end: look at the arguments it passes on"]
        case .factoryFailed:
            return []
        case .forwardMismatch:
            return ["register a product of that type, or remove the `implements` or `forward`"]
        case .offMainActor:
            return [
                "resolve it on the main actor, from elsewhere with"
                    + " `try await resolver.requireOnMainActor(…)`",
                "build it on the main actor once, at launch, in a scope that keeps it",
            ]
        case .needsAwait where error.request.asker == .requireAsync:
            return [
                "add the decorator where the service is registered, or give the service a scope that keeps"
                    + " its instances: this decorator wraps an asynchronous service, and cannot wait for it"
            ]
        case .needsAwait where error.path.last?.isAsync == false:
            return [
                "give \(text(error.path[error.path.count - 1].request.key)) an `asyncFactory:`, which can"
                    + " wait: `{ r in … try await r.requireAsync(\(metatype)) … }`",
                "let it inject an AsyncLazy<\(name(error.request.serviceType))>, and await that where it is used",
            ] + fixesOfWarmUp
        case .needsAwait:
            return [
                "request it with `try await resolver.requireAsync(…)`, or inject an"
                    + " AsyncLazy<\(name(error.request.serviceType))>"
            ] + fixesOfWarmUp
        case .containerGone:
            return ["keep the container for as long as anything that it made may use it"]
        case .duplicateName:
            return ["give one of them another name, or request an array"]
        case .containerClosed:
            return ["stop whatever uses the container first, and close it last"]
        case .closedFromWithin:
            return [
                "close it where it was made, or in a `Task.detached` that the factory or closer does"
                    + " not await"
            ]
        case .noOpenScope(let service, let miss):
            return fixes(of: service, miss)
        case .notOpened(let service):
            return [
                "give \(text(service.key)) the scope that should open: `.inObjectScope(…)` with an"
                    + " ObjectScope(opened:)",
                "take a Provider<\(name(service.key.serviceType))> instead, if it needs no scope",
            ]
        case .captive(let owner, let service):
            return [
                "give both the same scope, or have the methods of \(text(owner.key)) take"
                    + " \(text(service.key)) as an argument"
            ]
        }
    }

    private var fixesOfWarmUp: [String] {
        // What takes arguments or a name is made for a request alone.
        guard error.request.argumentTypes.isEmpty, !error.request.key.isForAnyName else {
            return []
        }
        return [
            "make it ready first: mark its registration `.eager()`, and call"
                + " `try await container.warmUp()` at launch"
        ]
    }

    /// What else may be meant where an initializer has a parameter of what is missing.
    @_optimize(size)
    private var fixesOfInitializer: [String] {
        guard let step = error.path.last, step.isAutoregistered,
            case .notRegistered(let hints) = error.failure, hints.all.isEmpty,
            !TypeFacts.of(error.neededType).isExistential
        else { return [] }
        return [
            "register \(text(step.request.key)) with a factory, if the parameter has a default value:"
                + " `autoregister` passes every argument"
        ]
    }

    @_optimize(size)
    private func fixes(
        of service: ResolutionError.ScopedService,
        _ miss: ResolutionError.ScopeMiss
    ) -> [String] {
        let scope = service.scope
        switch miss.reason {
        case .isNotOpen:
            if let around = miss.around {
                return [
                    "open scope \(scope) first, and scope \(around.scope) on the container that"
                        + " this gives: `session.openScope(…)` or `session.withScope(…)`"
                ]
            }
            return [
                "open scope \(scope) around what needs the service:"
                    + " `try await container.withScope(…, seeding: { $0.register(…) }) { scope in … }`;"
                    + " resolve from `scope`, and create what injects the service inside the closure"
            ]
                + (miss.isInTest
                    ? ["in a test, open it with a trait: `.opening(…) { $0.register(…) }`"] : [])
        case .wentElsewhere(isToParent: false):
            return [
                "open the scope on the container that registers the service, or on a child of it"
            ]
        case .wentElsewhere(isToParent: true):
            return [
                "request it from the open scope: from what `openScope` returns, from what `withScope` passes"
                    + " to its operation, or from the resolver that a factory receives"
            ]
        case .keptResolver:
            return [
                "keep a Provider<\(name(error.request.serviceType))> instead of the resolver:"
                    + " it asks the scope that is in force when it is used"
            ]
        case .isNotInForce(isEntered: true):
            return [
                "a detached task or a queue does not take the scope along: use a child task; or resolve the"
                    + " service inside the scope, and pass it on",
                "capture `SpaceValues.current` inside the scope, and call"
                    + " `withSpace(captured) { … }` in the task or on the queue",
            ]
        case .isNotInForce(isEntered: false):
            return [
                "`openScope` does not put the scope in force: resolve from the container that it"
                    + " returns, or call `withSpace(\\.dependenciesContainer, scope) { … }`"
            ]
        case .namesake:
            return [
                "make the scope once, and use it everywhere:"
                    + " `static let \(scope) = ObjectScope(opened: \"\(scope)\")`;"
                    + " two scopes with the same name are different scopes"
            ]
        }
    }

    /// True where a decorator asks for the very service that it decorates.
    private var isOfDecorator: Bool {
        guard let step = error.path.last, step.decoratedAt != nil else { return false }
        return text(step.request.key) == text(error.request.key)
    }

    /// What a task is to do that has the path of the factory that started it.
    private var fixesOfTask: [String] {
        guard error.path.contains(where: \.isAsync) else { return [] }
        return [
            "if the request comes from a task that the factory starts and does not await, start that task"
                + " with `Task.detached`"
        ]
    }

    /// How many further names are listed.
    private static let shownNames = 10

    @_optimize(size)
    private func sentence(_ hint: ResolutionError.Hint) -> String {
        switch hint {
        case .nothingRegistered:
            return "nothing at all is registered here: apply the assemblies first"
        case .needed(let key):
            return "register \(text(key)): \(name(error.request.serviceType)) comes with it"
        case .moreNames(let names):
            let list = names.map { name in name.map { "\"\($0)\"" } ?? "no name" }
            return "it is also registered under "
                + Page.list(list, lines: Self.shownNames).joined(separator: ", ")
        case .contributed(let type, let place):
            return "request [\(name(type))], to which \(place) contributes, or register it there"
                + " instead"
        case .seed(let scope, nil):
            return
                "register it, or apply the assembly that does; if only scope \(scope) knows it, it is a"
                + " seed: open the scope in the validation, `validate(.init(open: […]))`, and register a"
                + " stand-in for it, or name it in the option `providing`"
        case .seed(let scope, let place?):
            return "if only scope \(scope) knows it, register it there as a seed: pass"
                + " `seeding: { $0.register(\(metatype), …) }` where the scope is opened, at \(place)"
        case .registered(let candidate, let relation):
            return sentence(candidate, relation)
        }
    }

    @_optimize(size)
    private func sentence(
        _ candidate: ResolutionError.Candidate,
        _ relation: ResolutionError.Relation
    ) -> String {
        let (key, place) = (candidate.key, candidate.place)
        // What is meant may be a `Lazy` of the type.
        let renamed = key.with(error.request.serviceType)
        switch relation {
        case .linkedTwice:
            return "link its module once: the type of that name registered at \(place)"
                + " is another copy of this one"
        case .otherName:
            return ask(for: renamed, at: place)
        case .otherArguments:
            return ask(for: renamed, at: place) + arguments(of: key)
        case .optional:
            return "register \(name(error.neededType)) itself, or \(ask(for: key, at: place)):"
                + " only the optional is registered"
        case .conforming:
            let named = error.request.name.map { ", name: \"\($0)\"" } ?? ""
            return "add .implements(\(metatype)\(named)) to \(text(key)), registered at \(place)"
        case .generalized:
            let isClass = key.serviceType is AnyClass
            return ask(for: key, at: place)
                + (isClass ? ", from" : ", to") + " which \(name(error.neededType))"
                + (isClass ? " inherits" : " conforms")
        case .inChild:
            return "request it from the child container that registers it at \(place):"
                + " only that container and its own children see it"
        case .inSpace(let other):
            return "request it from the space's \(other), for example with `@Injected(assembler:)`"
                + " and the key path of its property of SpaceValues: it is registered there, at"
                + " \(place)"
        case .similar:
            return "did you mean \(text(key)), registered at \(place)?"
        }
    }

    /// What must be registered, as it is written in code: a composition needs parentheses.
    private var metatype: String {
        let type = name(error.neededType)
        return type.contains(" & ") ? "(\(type)).self" : "\(type).self"
    }

    @_optimize(size)
    private func ask(for key: ServiceKey, at place: CodePlace) -> String {
        var text = "request \(factory(of: key) ?? text(key))"
        if key.name == nil, !key.isForAnyName, error.request.name != nil {
            text += " without a name"
        }
        if key.argumentTypes.isEmpty, !error.request.argumentTypes.isEmpty {
            text += " without arguments"
            // A name without its label is an argument.
            if let named = key.name, error.request.name == nil {
                text += ", as in (\(name(key.serviceType)).self, name: \"\(named)\")"
            }
        }
        return text + ", registered at \(place)"
    }

    /// What gives a service later, where it cannot be asked for with its arguments at once: by a property, and where a
    /// `ServiceFactory` or a `Provider` was asked for.
    @_optimize(size)
    private func factory(of key: ServiceKey) -> String? {
        guard error.request.argumentTypes.isEmpty else { return nil }
        let arguments = key.argumentTypes
        let derived = derivation(of: error.request.serviceType)
        let isProperty = error.request.injectedAt != nil || error.request.property != nil
        guard
            arguments.isEmpty
                ? derived?.deferral == .factory
                : isProperty || derived?.deferral == .provider || derived?.deferral == .factory
        else { return nil }
        let named = key.name.map { " named \"\($0)\"" } ?? ""
        return (arguments.isEmpty ? "Provider<" : "ServiceFactory<")
            + name.list([error.neededType] + arguments) + ">" + named
    }

    @_optimize(size)
    private func arguments(of key: ServiceKey) -> String {
        let (one, other) = (key.argumentTypes, error.neededArguments)
        func names(_ types: [Any.Type]) -> [String] { types.map { name($0) }.ordered(by: <) }
        if names(one) == names(other) {
            return ": the same arguments in another order"
        }
        if one.count == 1, other.count > 1, name(one[0]) == "(\(name.list(other)))" {
            return ": its factory takes one tuple; give it a parameter for each argument"
        }
        let isOptional = zip(one, other).allSatisfy { (one: Any.Type, other: Any.Type) -> Bool in
            one == other || (one as? any OptionalValue.Type)?.wrappedType == other
                || (other as? any OptionalValue.Type)?.wrappedType == one
        }
        if one.count == other.count, isOptional {
            return ": an argument's static type is optional in one and not in the other"
        }
        return ""
    }
}
