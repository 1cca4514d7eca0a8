// The words of a ``ResolutionError``: what failed, and what made the request. The fixes are in
// `ResolutionError+Fixes.swift`.

extension ResolutionError: CustomStringConvertible {
    /// The whole message: what failed, what requested it, and the likely fixes, the best first.
    ///
    /// ```text
    /// nothing is registered for API named "live"
    ///   needed by, outermost first:
    ///     FeedScreen, registered at App/FeedAssembly.swift:12, for @Injected at App/Main.swift:30
    ///     Feed, registered at App/FeedAssembly.swift:9
    ///   fix: request API named "Live", registered at App/NetworkAssembly.swift:7
    ///    or: request API, registered at App/NetworkAssembly.swift:8
    /// ```
    public var description: String {
        message(askedBy: nil)
    }

    /// The message, for a requester that stands in no path.
    func message(askedBy asker: String?) -> String {
        Wording(self, asker).message
    }
}

extension ResolutionError.Request: CustomStringConvertible {
    /// Type, name and arguments: `Animal`, `Animal named "mimi"`, `Animal with (String, Int)`.
    public var description: String {
        key.text(TypeNames([]))
    }
}

extension ServiceKey {
    /// The name as messages append it.
    package var nameText: String {
        name.map { " named \"\($0)\"" } ?? (isForAnyName ? " of any name" : "")
    }

    /// The type to request: for a contribution, its collection.
    package func requestedType(_ typeName: TypeNames) -> String {
        let type = typeName(serviceType)
        return isContribution ? "[\(type)]" : type
    }

    /// Type, name and arguments, as messages name them.
    package func text(_ typeName: TypeNames) -> String {
        var text = (isContribution ? "contributed " : "") + typeName(serviceType) + nameText
        if !argumentTypes.isEmpty { text += " with (\(typeName.list(argumentTypes)))" }
        return text
    }
}

extension ResolutionError {
    /// Puts one error into words.
    final class Wording {
        let error: ResolutionError
        private let asker: String?
        let name: TypeNames

        init(_ error: ResolutionError, _ asker: String?) {
            self.error = error
            self.asker = asker
            name = TypeNames(error.types)
        }
    }

    /// Every type that the message may name.
    private var types: [Any.Type] {
        var keys = ([request] + (path + otherPath).map(\.request)).map(\.key) + services.map(\.key)
        if case .notRegistered(let hints) = failure {
            for case .registered(let candidate, _) in hints.all { keys.append(candidate.key) }
        }
        return keys.flatMap { [$0.serviceType] + $0.argumentTypes } + [neededType]
    }

    /// The registrations whose scopes do not fit.
    fileprivate var services: [Registered] {
        switch failure {
        case .noOpenScope(let service, _), .notOpened(let service, _): [service]
        case .captive(let one, let other), .duplicateName(_, let one, let other): [one, other]
        default: []
        }
    }
}

extension ResolutionError.Wording {
    typealias Step = ResolutionError.Step

    var message: String {
        var lines = [headline] + registrations + requestedBy
        let (path, other) = (error.path, error.otherPath)
        lines += steps(path, other.isEmpty ? "needed by" : "this \(worker(path))'s path")
        lines += steps(other, "the other \(worker(other))'s path")
        let fixes = fixes
        if !fixes.isEmpty { lines.append("  fix: \(fixes)") }
        return Page.cut(lines.joined(separator: "\n"))
    }

    @_optimize(size)
    private var headline: String {
        switch error.failure {
        case .notRegistered:
            "nothing is registered for \(asked)"
        case .circularDependency(let otherPath) where !otherPath.isEmpty:
            "circular dependency across \(workers(error.path, otherPath)):"
                + " each waits for the other at \(asked)"
        case .circularDependency:
            "circular dependency: " + circle.joined(separator: " → ")
        case .recursionTooDeep(let count):
            "\(asked) was entered \(count) times within itself"
        case .factoryFailed(let underlying):
            "the \(error.path.last?.decoratedAt == nil ? "factory" : "decorator") of \(asked)"
                + " threw: \(underlying)"
        case .forwardMismatch(let product, let place):
            "\(asked) forwards to the registration at \(place), whose instance,"
                + " of type \(name(product)), cannot be used as \(name(error.request.serviceType))"
        case .offMainActor:
            "\(asked) has a main-actor factory, and this is not the main thread"
        case .needsAwait:
            "\(asked) is made asynchronously and is not ready, and synchronous code cannot wait for it"
        case .containerGone:
            "\(asked) was requested from a container that no longer exists"
        case .containerClosed(let place, _) where error.request.asker == "withScope":
            "a scope cannot be opened on a container that was closed at \(place)"
        case .containerClosed(let place, _) where error.request.asker == "warmUp":
            "a container that was closed at \(place) cannot be warmed up"
        case .containerClosed(let place, _) where error.request.asker == "run":
            "a container that was closed at \(place) cannot run a program"
        case .containerClosed(let place, let scope):
            "\(asked) was requested from \(scope.map { "scope \($0)," } ?? "a container") that was closed at \(place)"
        case .closedFromWithin(let place):
            "close() was called at \(place) by a factory or a closer that it would wait for"
        case .noOpenScope(let service, let miss):
            "\(asked) belongs to scope \(service.scope), and \(state(of: miss))"
        case .notOpened(let service, let isPerArguments):
            "\(asked) opens a scope for \(text(service.key)), which is in scope \(service.scope)"
                + (isPerArguments ? "" : " and not in one that opens and closes")
        case .captive(let owner, let service):
            "\(text(owner.key)), shared in scope \(owner.scope), would keep"
                + " \(text(service.key)), of scope \(service.scope), after that scope has closed"
        case .duplicateName(let name, _, _):
            "two contributions to \(asked) are named \"\(name)\""
        }
    }

    /// What there is instead of the open scope that a service needs.
    private func state(of miss: ResolutionError.ScopeMiss) -> String {
        let past = "the request went past that scope, opened at"
        return switch miss {
        case .isNotOpen(let around?, _):
            "no such scope is open here, inside scope \(around.scope), opened at \(around.place)"
        case .isNotOpen(nil, _):
            "no such scope is open here"
        case .wentElsewhere(let place, isToParent: false):
            "\(past) \(place), to another container"
        case .wentElsewhere(let place, isToParent: true):
            "\(past) \(place), to the container that it was opened on"
        case .keptResolver(let place):
            "\(past) \(place), through a resolver that a shared instance of the container keeps"
        case .isNotInForce(let place, _, _):
            "no such scope is in force here; one is open elsewhere, opened at \(place)"
        case .namesake(let place):
            "another scope of the same name is open here, opened at \(place)"
        }
    }

    /// The places of the registrations that do not fit.
    private var registrations: [String] {
        let list = error.services.map { "at \($0.place)" }.joined(separator: " and ")
        return list.isEmpty ? [] : ["  registered \(list)"]
    }

    /// The owner of a path: a task or a thread.
    private func worker(_ path: [Step]) -> String {
        path.contains(where: \.isAsync) ? "task" : "thread"
    }

    private func workers(_ path: [Step], _ other: [Step]) -> String {
        let (one, other) = (worker(path), worker(other))
        return one == other ? "two \(one)s" : "a \(one) and a \(other)"
    }

    var asked: String { text(error.request.key) }

    /// The part of the path that leads back to its beginning.
    private var circle: [String] {
        let path = error.path.map { text($0.request.key) }
        let start = path.lastIndex(of: asked) ?? path.startIndex
        return shortened(Array(path[start...])) + [asked]
    }

    func text(_ key: ServiceKey) -> String { key.text(name) }

    // MARK: - Who asked

    private var requestedBy: [String] {
        error.request.requesters.map { "  requested by \($0)" }
            + (asker.map { ["  requested \($0)"] } ?? [])
    }

    /// How many steps of a long path are shown at either end.
    private static let shownSteps = 10

    private func steps(_ path: [Step], _ title: String) -> [String] {
        guard !path.isEmpty else { return [] }
        return ["  \(title), outermost first:"]
            + shortened(path.map { "    " + $0.text(name) }, indent: "    ")
    }

    /// The beginning and the end of a long path.
    private func shortened(_ path: [String], indent: String = "") -> [String] {
        let shown = Self.shownSteps
        guard path.count > 2 * shown + 1 else { return path }
        return path.prefix(shown) + ["\(indent)… \(path.count - 2 * shown) more …"]
            + path.suffix(shown)
    }
}

extension ResolutionError.Request {
    /// The property or the call that made the request.
    fileprivate var requesters: [String] {
        [
            property.map { "@Injected \($0)" },
            injectedAt.map { "@Injected at \($0)" },
            requiredAt.map { "\(asker) at \($0)" },
        ].compactMap(\.self)
    }
}

extension ResolutionError.Step {
    /// What was requested, where it was registered, and what requested it.
    package func text(_ typeName: TypeNames) -> String {
        let parts = [
            "\(request.key.text(typeName)), registered at \(registeredAt)",
            decoratedAt.map { "decorated at \($0)" },
            isCompleting ? "in initCompleted" : nil,
        ]
        return (parts.compactMap(\.self) + request.requesters.map { "for \($0)" })
            .joined(separator: ", ")
    }
}
