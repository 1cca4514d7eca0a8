// Every sentence that a ``ResolutionError`` can say stands in this file.

extension ResolutionError: CustomStringConvertible {
    /// The whole message: what failed, the path, the likely fix.
    public var description: String {
        var lines = [headline]
        if let place = request.injectedAt {
            lines.append("  @Injected at \(place)")
        }
        lines += Self.lines(of: path, title: "while building, outermost first:")
        if case .circularDependency(let otherPath) = reason, !otherPath.isEmpty {
            lines += Self.lines(of: otherPath, title: "and on the other thread:")
        }
        lines += fixes.map { "  fix: \($0)" }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        switch reason {
        case .notRegistered:
            "nothing is registered for \(request)"
        case .circularDependency(let otherPath) where !otherPath.isEmpty:
            "circular dependency across two threads: each waits for the other at \(request)"
        case .circularDependency:
            "circular dependency: \(request) is needed to build itself"
        case .recursionTooDeep(let count):
            "\(request) was entered \(count) times within itself"
        case .factoryFailed(let error):
            "the factory of \(request) threw: \(error)"
        case .forwardMismatch(let product):
            "\(request) forwards to a registration whose product, \(product), is no"
                + " \(readableName(of: request.serviceType))"
        case .offMainActor:
            "\(request) has a main-actor factory, and this is not the main thread"
        case .containerGone:
            "\(request) was asked of a container that is gone"
        }
    }

    private var fixes: [String] {
        switch reason {
        case .notRegistered(let hints):
            hints.map(Self.sentence)
        case .circularDependency:
            [
                "take one of them in `initCompleted`, as a `Lazy`, or through `@Injected`,"
                    + " so that it is asked for after the other is built"
            ]
        case .recursionTooDeep:
            ["the recursion does not seem to end: look at the arguments it passes on"]
        case .factoryFailed:
            []
        case .forwardMismatch:
            ["register a product that conforms, or drop the `implements` or `forward`"]
        case .offMainActor:
            [
                "resolve it on the main actor, from elsewhere with"
                    + " `try await resolver.requireOnMainActor(…)`, or build it there once before"
            ]
        case .containerGone:
            ["keep the container for as long as what it made may ask it for more"]
        }
    }

    private static func sentence(_ hint: Hint) -> String {
        switch hint {
        case .nothingRegistered:
            return "nothing at all is registered here: was no assembly applied?"
        case .otherNames(let names):
            let list = names.map { name in name.map { "\"\($0)\"" } ?? "no name" }
            return "it is registered under " + list.joined(separator: ", ")
        case .otherArguments(let shapes):
            return "it is registered with other arguments: " + shapes.joined(separator: ", ")
        }
    }

    private static func lines(of path: [Step], title: String) -> [String] {
        guard !path.isEmpty else { return [] }
        return ["  \(title)"]
            + path.map { step in
                var line = "    \(step.request), registered at \(step.registeredAt)"
                if step.isCompleting {
                    line += ", in initCompleted"
                }
                if let place = step.request.injectedAt {
                    line += ", for @Injected at \(place)"
                }
                return line
            }
    }
}

extension ResolutionError.Request: CustomStringConvertible {
    /// Type, name and arguments: `Animal`, `Animal named "mimi"`, `Animal with (String, Int)`.
    public var description: String {
        var text = readableName(of: serviceType)
        if let name {
            text += " named \"\(name)\""
        }
        if !argumentTypes.isEmpty {
            text += " with (" + argumentTypes.map(readableName).joined(separator: ", ") + ")"
        }
        return text
    }
}
