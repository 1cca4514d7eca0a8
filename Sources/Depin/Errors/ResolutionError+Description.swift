// Every sentence that a ``ResolutionError`` can say stands in this file.

extension ResolutionError: CustomStringConvertible {
    /// The whole message: what failed, what requested it, and the likely fixes, the best first.
    ///
    /// ```text
    /// nothing is registered for API named "live"
    ///   needed by, outermost first:
    ///     FeedScreen, registered at App/FeedAssembly.swift:12, for @Injected at App/Main.swift:30
    ///     Feed, registered at App/FeedAssembly.swift:9
    ///   fix: ask for API named "Live", registered at App/NetworkAssembly.swift:7
    ///    or: ask for API, registered at App/NetworkAssembly.swift:8
    /// ```
    public var description: String {
        message(askedBy: nil)
    }

    /// The same, where somebody who stands in no path has asked.
    func message(askedBy asker: String?) -> String {
        Wording(self, asker).message
    }
}

extension ResolutionError.Request: CustomStringConvertible {
    /// Type, name and arguments: `Animal`, `Animal named "mimi"`, `Animal with (String, Int)`.
    public var description: String {
        ResolutionError.Wording.text(of: self, readableName)
    }
}

extension ResolutionError {
    /// Puts one error into words.
    struct Wording {
        private let error: ResolutionError
        private let asker: String?
        private let name: TypeNames

        init(_ error: ResolutionError, _ asker: String?) {
            self.error = error
            self.asker = asker
            name = TypeNames(error.types)
        }

        static func text(of request: Request, _ name: (Any.Type) -> String) -> String {
            var text = (request.isContribution ? "contributed " : "") + name(request.serviceType)
            if let serviceName = request.name {
                text += " named \"\(serviceName)\""
            }
            if !request.argumentTypes.isEmpty {
                text += " with (" + request.argumentTypes.map(name).joined(separator: ", ") + ")"
            }
            return text
        }
    }

    /// Every type that the message may name.
    private var types: [Any.Type] {
        var requests = [request] + path.map(\.request)
        switch failure {
        case .circularDependency(let otherPath):
            requests += otherPath.map(\.request)
        case .notRegistered(let hints):
            requests += hints.all.compactMap { $0.candidate?.request }
        case .noOpenScope(let service):
            requests.append(service.request)
        case .captive(let owner, let service):
            requests += [owner.request, service.request]
        default:
            break
        }
        return requests.flatMap { [$0.serviceType] + $0.argumentTypes } + [neededType]
    }

    /// What must be registered: the service in a `Lazy` or `Provider`, and else what was asked for.
    fileprivate var neededType: Any.Type {
        guard case .notRegistered(let hints) = failure else { return request.serviceType }
        for case .needed(let type) in hints.all.reversed() { return type }
        return request.serviceType
    }
}

extension ResolutionError.Wording {
    typealias Step = ResolutionError.Step

    var message: String {
        var lines = [headline] + registrations + site
        if case .circularDependency(let otherPath) = error.failure, !otherPath.isEmpty {
            let (one, other) = (worker(error.path), worker(otherPath))
            lines += steps(error.path, title: "this \(one)'s path, outermost first:")
            lines += steps(otherPath, title: "the other \(other)'s path, outermost first:")
        } else {
            lines += steps(error.path, title: "needed by, outermost first:")
        }
        lines += fixes.enumerated().map { ($0 == 0 ? "  fix: " : "   or: ") + $1 }
        return lines.joined(separator: "\n")
    }

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
            "\(asked) forwards to the registration at \(place), whose product,"
                + " a \(name(product)), is no \(name(error.request.serviceType))"
        case .offMainActor:
            "\(asked) has a main-actor factory, and this is not the main thread"
        case .needsAwait:
            "\(asked) takes time to make and is not ready, and synchronous code cannot wait for it"
        case .containerGone:
            "\(asked) was asked of a container that is gone"
        case .containerClosed(let place):
            "\(asked) was asked of a container that was closed at \(place)"
        case .closedFromWithin(let place):
            "close() was called at \(place) by a factory or a closer that it would wait for"
        case .noOpenScope(let service):
            "\(asked) is of scope \(service.scope), and no such scope is open here"
        case .captive(let owner, let service):
            "\(text(owner.request)), shared in scope \(owner.scope), would keep"
                + " \(text(service.request)) of scope \(service.scope) after that scope has closed"
        case .duplicateName(let name, _, _):
            "two contributions to \(asked) are named \"\(name)\""
        }
    }

    /// Where the registrations stand that do not go together.
    private var registrations: [String] {
        switch error.failure {
        case .noOpenScope(let service): ["  registered at \(service.place)"]
        case .captive(let owner, let service):
            ["  registered at \(owner.place) and at \(service.place)"]
        case .duplicateName(_, let first, let second):
            ["  registered at \(first) and at \(second)"]
        default: []
        }
    }

    /// Who has a path.
    private func worker(_ path: [Step]) -> String {
        path.contains(where: \.isAsync) ? "task" : "thread"
    }

    private func workers(_ path: [Step], _ other: [Step]) -> String {
        let (one, other) = (worker(path), worker(other))
        return one == other ? "two \(one)s" : "a \(one) and a \(other)"
    }

    private var asked: String { text(error.request) }

    /// The part of the path that leads back to where it began.
    private var circle: [String] {
        let path = error.path.map { text($0.request) }
        let start = path.lastIndex(of: asked) ?? path.startIndex
        return path[start...] + [asked]
    }

    private func text(_ request: ResolutionError.Request) -> String {
        Self.text(of: request) { name($0) }
    }

    // MARK: - Who asked

    private var site: [String] {
        sites(error.request).map { "  asked for by \($0)" }
            + (asker.map { ["  asked for \($0)"] } ?? [])
    }

    private func sites(_ request: ResolutionError.Request) -> [String] {
        var sites = request.property.map { ["@Injected \($0)"] } ?? []
        if let place = request.injectedAt {
            sites.append("@Injected at \(place)")
        }
        if let place = request.requiredAt {
            sites.append("\(request.asker) at \(place)")
        }
        return sites
    }

    /// How many steps of a long path are shown at its beginning, and at its end.
    private static let shownSteps = 10

    private func steps(_ path: [Step], title: String) -> [String] {
        guard !path.isEmpty else { return [] }
        let shown = Self.shownSteps
        guard path.count > 2 * shown + 1 else { return ["  \(title)"] + path.map(line) }
        return ["  \(title)"] + path.prefix(shown).map(line)
            + ["    … \(path.count - 2 * shown) more …"] + path.suffix(shown).map(line)
    }

    private func line(_ step: Step) -> String {
        var line = "    \(text(step.request)), registered at \(step.registeredAt)"
        if let place = step.decoratedAt {
            line += ", decorated at \(place)"
        }
        if step.isCompleting {
            line += ", in initCompleted"
        }
        for site in sites(step.request) {
            line += ", for \(site)"
        }
        return line
    }

    // MARK: - What to do

    private var fixes: [String] {
        guard let surroundings = error.request.surroundings else { return fixesOfFailure }
        let fix =
            "the property was made outside the \(surroundings.rawValue) here;"
            + " make it inside, or take it as an argument, or inject a `Provider`"
        return [fix] + (surroundings == .scope ? [] : fixesOfFailure)
    }

    private var fixesOfFailure: [String] {
        switch error.failure {
        case .notRegistered(let hints):
            let fixes = hints.all.map(sentence)
            return fixes.isEmpty ? ["register it, or apply the assembly that does"] : fixes
        case .circularDependency
        where !error.otherPath.isEmpty && error.path.contains { $0.isCompleting }:
            return [
                "take it as a `Lazy` or a `Provider`, and use that when both are built: the callback"
                    + " and the other one's factory wait for each other"
            ]
        case .circularDependency:
            return [
                "take one of them in `initCompleted`, as a `Lazy`, or through `@Injected`,"
                    + " so that it is asked for after the other is built"
            ]
        case .recursionTooDeep:
            return ["the recursion does not seem to end: look at the arguments it passes on"]
        case .factoryFailed:
            return []
        case .forwardMismatch:
            return ["register a product that conforms, or drop the `implements` or `forward`"]
        case .offMainActor:
            return [
                "resolve it on the main actor, from elsewhere with"
                    + " `try await resolver.requireOnMainActor(…)`",
                "build it on the main actor once, at launch, in a scope that keeps it",
            ]
        case .needsAwait:
            return [
                "ask by `try await resolver.requireAsync(…)`, or inject an"
                    + " AsyncLazy<\(name(error.request.serviceType))>",
                "make it ready first: mark its registration `.eager()`, and"
                    + " `try await container.warmUp()` at launch",
            ]
        case .containerGone:
            return ["hold the container for as long as anything that it made may use it"]
        case .duplicateName:
            return ["give one of them another name, or ask for an array"]
        case .containerClosed:
            return ["close it when nobody needs it any more, and end first what asks it"]
        case .closedFromWithin:
            return ["close it where it was made, or in a task that nobody waits for there"]
        case .noOpenScope(let service):
            return [
                "ask the container that `openScope` or `withScope` gives for scope \(service.scope),"
                    + " and make what asks with it"
            ]
        case .captive(let owner, let service):
            return [
                "give both the same scope, or have the methods of \(text(owner.request)) take"
                    + " \(text(service.request)) as an argument"
            ]
        }
    }

    private func sentence(_ hint: ResolutionError.Hint) -> String {
        switch hint {
        case .nothingRegistered:
            return "nothing at all is registered here: apply the assemblies first"
        case .needed(let type):
            return "register \(name(type)), of which a \(name(error.request.serviceType)) is made"
        case .linkedTwice(let candidate):
            return "link its module once: the type of that name which is registered at"
                + " \(candidate.registeredAt) is another copy of this one"
        case .otherName(let candidate):
            return ask(for: renamed(candidate))
        case .moreNames(let names):
            let list = names.map { name in name.map { "\"\($0)\"" } ?? "no name" }
            return "it is registered under \(list.joined(separator: ", ")) too"
        case .otherArguments(let candidate):
            return ask(for: renamed(candidate)) + arguments(of: candidate)
        case .optional(let candidate):
            return ask(for: candidate) + ": only the optional is registered"
        case .conforming(let candidate):
            let named = error.request.name.map { ", name: \"\($0)\"" } ?? ""
            let type = name(error.neededType)
            // A composition needs parentheses before its metatype.
            let metatype = type.contains(" & ") ? "(\(type)).self" : "\(type).self"
            return "add .implements(\(metatype)\(named)) to"
                + " \(text(candidate.request)), registered at \(candidate.registeredAt)"
        case .generalized(let candidate):
            let isClass = candidate.request.serviceType is AnyClass
            return ask(for: candidate)
                + (isClass ? ", from" : ", to") + " which \(name(error.neededType))"
                + (isClass ? " inherits" : " conforms")
        case .contributed(let type, let place):
            return "ask for [\(name(type))], to which \(place) contributes"
        case .inChild(let candidate):
            return "ask the child container that has it registered at \(candidate.registeredAt):"
                + " only that one and its own children see what it registers"
        case .inSpace(let candidate, let key):
            return "ask the space's \(key), as by `@Injected(assembler:)`:"
                + " it is registered there, at \(candidate.registeredAt)"
        case .similar(let candidate):
            return "did you mean \(text(candidate.request)), registered at"
                + " \(candidate.registeredAt)?"
        }
    }

    /// The candidate as what was asked for, which may be a `Lazy` of its type.
    private func renamed(_ candidate: ResolutionError.Candidate) -> ResolutionError.Candidate {
        ResolutionError.Candidate(
            key: candidate.key.with(error.request.serviceType),
            registeredAt: candidate.registeredAt
        )
    }

    private func ask(for candidate: ResolutionError.Candidate) -> String {
        var text = "ask for \(text(candidate.request))"
        if candidate.request.name == nil, error.request.name != nil {
            text += " without a name"
        }
        if candidate.request.argumentTypes.isEmpty, !error.request.argumentTypes.isEmpty {
            text += " without arguments"
        }
        return text + ", registered at \(candidate.registeredAt)"
    }

    private func arguments(of candidate: ResolutionError.Candidate) -> String {
        let (one, other) = (candidate.request.argumentTypes, error.request.argumentTypes)
        func names(_ types: [Any.Type]) -> [String] { types.map { name($0) }.sorted() }
        if names(one) == names(other) {
            return ": the same arguments in another order"
        }
        let isOptional = zip(one, other).allSatisfy { one, other in
            one == other || (one as? any OptionalValue.Type)?.wrappedType == other
                || (other as? any OptionalValue.Type)?.wrappedType == one
        }
        if one.count == other.count, isOptional {
            return ": an argument's static type is optional in one and not in the other"
        }
        return ""
    }
}
