extension ResolutionError {
    /// The type to register: the service in a `Lazy` or `Provider`, or else the requested one.
    var neededType: Any.Type {
        guard case .notRegistered(let hints) = failure else { return request.serviceType }
        for case .needed(let key) in hints.all.reversed() { return key.serviceType }
        return request.serviceType
    }
}

// Optimized for size, because every app carries these words, and few are ever read.

extension ResolutionError.Wording {
    /// The likely fixes, the best first; empty if there is none.
    @_optimize(size)
    var fixes: String {
        guard let surroundings = error.request.surroundings else { return fixesOfFailure }
        let (known, more) =
            switch surroundings {
            case .scope: ("scope that is open", ", or inject a `Provider`")
            // A `Provider` made outside would not see the override, either.
            case .override: ("override that is in force", or(fixesOfFailure))
            }
        return "the property was created outside the \(known) here;"
            + " create it inside, or pass the service as an argument" + more
    }

    /// A further fix, if it may help.
    private func or(_ fix: String, if mayHelp: Bool = true) -> String {
        mayHelp && !fix.isEmpty ? "\n   or: \(fix)" : ""
    }

    @_optimize(size)
    private var fixesOfFailure: String {
        switch error.failure {
        case .circularDependency where isOfDecorator, .needsAwait where isOfDecorator:
            "use `inner`, the instance that the decorator receives, instead of requesting it again"
        case .notRegistered(let hints):
            fixes(by: hints.all)
        case .circularDependency(let other)
        where !other.isEmpty && error.path.contains(where: \.isCompleting):
            "take it as a `Lazy` or a `Provider`, and use that once both are built: the callback"
                + " and the other one's factory wait for each other"
        case .circularDependency
        where error.request.injectedAt != nil && !error.path.contains(where: \.isAsync):
            "read the property only once the initializer has returned"
        case .circularDependency where error.path.count == 1 && !error.path[0].isAsync:
            "to wrap what is registered elsewhere, use `decorate`, or register that under a name of its own"
        case .circularDependency:
            "take one of them in `initCompleted`, as a `Lazy`, or through `@Injected`,"
                + " so that it is requested after the other is built"
                + or(
                    "give what has the callback a scope other than transient: each request makes another one",
                    if: error.path.contains(where: \.isCompleting)
                )
                + or(
                    "use `Task.detached` for a task that the factory starts and does not await",
                    if: error.path.contains(where: \.isAsync)
                )
        case .recursionTooDeep:
            "the recursion does not seem to end: look at the arguments it passes on"
        case .factoryFailed:
            ""
        case .forwardMismatch:
            "register a product of that type, or remove the `implements` or `forward`"
        case .offMainActor:
            "resolve it on the main actor, from elsewhere with `try await resolver.requireOnMainActor(…)`"
                + or("build it on the main actor once, at launch, in a scope that keeps it")
        case .needsAwait where error.request.asker == "requireAsync":
            "add the decorator where the service is registered, or give the service a scope that keeps"
                + " its instances: this decorator wraps an asynchronous service, and cannot wait for it"
        case .needsAwait:
            fixesOfWaiting
                + or(
                    "make it ready first: keep it in a scope, mark its registration `.eager()`, and call"
                        + " `try await container.warmUp()` at launch, or `try await scope.warmUp()`"
                        + " when its scope opens",
                    // A service with arguments or a name of the request is made for that request alone.
                    if: error.request.argumentTypes.isEmpty && !error.request.key.isForAnyName
                )
        case .containerGone:
            "keep the container for as long as anything that it made may use it"
        case .duplicateName:
            "give one of them another name, or request an array"
        case .containerClosed(_, scope: nil):
            "stop whatever uses the container first, and close it last"
        case .containerClosed:
            "await everything that uses the scope before it ends; or open it with `openScope`, and close it last"
        case .closedFromWithin:
            "close it where it was made, or in a `Task.detached` that the factory or closer does not await"
        case .noOpenScope(let service, let miss):
            fix(of: miss, of: service.scope)
        case .notOpened(let service, isPerArguments: true):
            "give \(text(service.key)) the scope itself, without `.perArguments`: each use opens a scope of its"
                + " own, with one instance"
        case .notOpened(let service, isPerArguments: false):
            "give \(text(service.key)) the scope that should open: `.inObjectScope(…)` with an"
                + " ObjectScope(opened:)"
                + or(
                    "take a Provider<\(name(service.key.serviceType))> instead, if it needs no scope"
                )
        case .captive(let owner, let service):
            "give both the same scope, or have the methods of \(text(owner.key)) take"
                + " \(text(service.key)) as an argument"
        }
    }

    /// How to get a service that a synchronous request cannot wait for.
    private var fixesOfWaiting: String {
        let lazy = "AsyncLazy<\(obtainable)>"
        let wait = "`{ r in … try await r.requireAsync(\(metatype)) … }`"
        guard let step = error.path.last, !step.isAsync,
            step.decoratedAt != nil || text(step.request.key) != asked
        else {
            return "request it with `try await resolver.requireAsync(…)`, or inject an \(lazy)"
        }
        if step.decoratedAt != nil {
            return "decorate \(text(step.request.key)) with an `asyncDecorator:`, which can wait"
        }
        if step.isCompleting {
            return "a callback cannot wait: have it take an \(lazy), and await that later"
        }
        return "give \(text(step.request.key)) an `asyncFactory:`, which can wait:"
            + " \(wait)"
            + or("let it inject an \(lazy), and await that where it is used")
    }

    /// What to do if no open scope has a service.
    @_optimize(size)
    private func fix(of miss: ResolutionError.ScopeMiss, of scope: String) -> String {
        switch miss {
        case .isNotOpen(let around?, _):
            "open scope \(scope) inside scope \(around.scope), and request it from that:"
                + " `openScope(…)` or `withScope(…)` on this container"
                + or(
                    "open scope \(scope) first, and scope \(around.scope) on the container that this gives,"
                        + " if \(around.scope) belongs inside \(scope)"
                )
        case .isNotOpen(nil, let isInTest):
            "open scope \(scope) around what needs the service:"
                + " `try await container.withScope(…, seeding: { $0.register(…) }) { scope in … }`;"
                + " resolve from `scope`, and create what injects the service inside the closure"
                + or(
                    "in a test, open it with a trait: `.opening(…) { $0.register(…) }`",
                    if: isInTest
                )
        case .wentElsewhere(_, isToParent: false):
            "open the scope on the container that is asked, and request it from the scope"
        case .wentElsewhere(_, isToParent: true):
            "request it from the open scope: from what `openScope` returns, from what `withScope` passes"
                + " to its operation, or from the resolver that a factory receives"
        case .keptResolver:
            "keep a Provider<\(obtainable)> instead of the resolver:"
                + " it asks the scope that is in force when it is used"
        case .isNotInForce(_, isEntered: true, let isInTest):
            "a detached task or a queue does not take the scope along: use a child task; or resolve the"
                + " service inside the scope, and pass it on"
                + or(
                    "capture `SpaceValues.current` inside the scope, and call"
                        + " `withSpace(captured) { … }` in the task or on the queue"
                )
                + or(fix(of: .isNotOpen(around: nil, isInTest: isInTest), of: scope))
        case .isNotInForce(_, isEntered: false, let isInTest):
            "`openScope` does not put the scope in force: resolve from the container that it"
                + " returns, or call `withSpace(\\.dependenciesContainer, scope) { … }`"
                + or(fix(of: .isNotOpen(around: nil, isInTest: isInTest), of: scope))
        case .namesake:
            "make the scope once, and use it everywhere:"
                + " `static let \(scope) = ObjectScope(opened: \"\(scope)\")`;"
                + " two scopes with the same name are different scopes"
        }
    }

    /// True if a decorator requests the very service that it decorates.
    private var isOfDecorator: Bool {
        guard let step = error.path.last, step.decoratedAt != nil else { return false }
        return text(step.request.key) == text(error.request.key)
    }

    // MARK: - What is missing

    @_optimize(size)
    private func fixes(by hints: [ResolutionError.Hint]) -> String {
        // What makes the request does not answer it.
        let hints = hints.filter { hint in
            switch hint {
            case .registered(let it, .conforming), .registered(let it, .similar):
                !error.path.contains { $0.registeredAt == it.place }
            default: true
            }
        }
        var fixes = hints.map(sentence)
        let isGuessed = hints.allSatisfy {
            if case .registered(_, .similar) = $0 { true } else { false }
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

    /// The type to request: for a contribution, its collection.
    private var obtainable: String {
        let type = name(error.request.serviceType)
        return error.request.isContribution ? "[\(type)]" : type
    }

    /// The type to register as it is written in code: a composition needs parentheses.
    private var metatype: String {
        let type = name(error.neededType)
        return type.contains(" & ") ? "(\(type)).self" : "\(type).self"
    }

    @_optimize(size)
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
    @_optimize(size)
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
