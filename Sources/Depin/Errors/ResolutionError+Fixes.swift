// Optimized for size, because every app carries these words, and few are ever read.

extension ResolutionError.Wording {
    /// The likely fixes, the best first; empty if there is none.
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
    func or(_ fix: String, if mayHelp: Bool = true) -> String {
        mayHelp ? "\n   or: \(fix)" : ""
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
        case .circularDependency
        where error.path.count == 1 && !error.path[0].isAsync
            && !error.path[0].request.isContribution:
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
                + or(
                    "build it on the main actor once, at launch, in a scope that keeps it",
                    if: error.request.argumentTypes.isEmpty
                )
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
                + " \(service.key.requestedType(name)) as an argument"
        }
    }

    /// How to get a service that a synchronous request cannot wait for.
    @_optimize(size)
    private var fixesOfWaiting: String {
        // A Provider may stand where no AsyncLazy can: outside of the scope that it asks.
        let isOfProvider = error.request.asker.hasPrefix("the Provider")
        let later = later(isOfProvider ? "a ServiceFactory" : "an AsyncLazy")
        guard let step = error.path.last, !step.isAsync,
            step.decoratedAt != nil || text(step.request.key) != asked
        else {
            return error.request.asker == "ServiceFactory"
                ? "call the factory with `try await factory.requireAsync(…)`"
                : "request it with `try await resolver.requireAsync(…)`, or inject \(later)"
        }
        let maker = text(step.request.key)
        let fix =
            step.decoratedAt != nil
            ? "decorate \(maker) with an `asyncDecorator:`, which can wait"
            : step.isCompleting
                ? "request it in an `asyncFactory:` of \(maker), since a callback cannot wait"
                : "give \(maker) an `asyncFactory:`, which can wait:"
                    + " `{ r in … try await r.requireAsync(\(metatype)) … }`"
        let mayAwait = step.isAutoregistered && step.decoratedAt == nil && !step.isCompleting
        return fix
            + or(
                "request \(maker) with `try await resolver.requireAsync(…)`, which awaits what its initializer takes,"
                    + " if a scope keeps that",
                if: mayAwait
            )
            + or("let it inject \(later), and await that where it is used")
    }

    /// What gives the service later, by the words for a service without arguments.
    private func later(_ plain: String) -> String {
        let arguments = error.request.argumentTypes
        let type = error.request.key.requestedType(name)
        return arguments.isEmpty
            ? "\(plain)<\(type)>" : "a ServiceFactory<\(type), \(name.list(arguments))>"
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
            "keep " + later("a Provider") + " instead of the resolver:"
                + " it asks the scope that is in force when it is used"
        case .isNotInForce(_, let isEntered, let isInTest):
            (isEntered
                ? "a detached task or a queue does not take the scope along: use a child task; or resolve the"
                    + " service inside the scope, and pass it on"
                    + or(
                        "capture `SpaceValues.current` inside the scope, and call"
                            + " `withSpace(captured) { … }` in the task or on the queue"
                    )
                : "`openScope` does not put the scope in force: resolve from the container that it"
                    + " returns, or call `withSpace(\\.dependenciesContainer, scope) { … }`")
                + or(fix(of: .isNotOpen(around: nil, isInTest: isInTest), of: scope))
        case .namesake:
            "make the scope once, and use it everywhere:"
                + " `static let … = ObjectScope(opened: \"\(scope)\")`;"
                + " two scopes with the same name are different scopes"
        }
    }

    /// True if a decorator requests the very service that it decorates.
    private var isOfDecorator: Bool {
        guard let step = error.path.last, step.decoratedAt != nil else { return false }
        return text(step.request.key) == text(error.request.key)
    }
}
