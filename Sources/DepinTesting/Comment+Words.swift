import Depin
import Testing

// Every sentence that a test of the user's can fail with stands in this file.

extension Comment {
    /// An override that nobody asked for.
    static func unused(_ registration: ObservedRegistration) -> Comment {
        """
        the override of \(registration.request) at \(registration.place) was never used
          fix: remove it, or the test does not do what it is meant to
        """
    }

    /// A service was asked for that the test forbids; the path ends with it.
    static func forbidden(_ path: [ResolutionError.Step]) -> Comment {
        guard let asked = path.last else { return "a forbidden service was asked for" }
        var lines = ["\(asked.request), which this test forbids, was asked for"]
        lines.append("  registered at \(asked.registeredAt)")
        if let place = asked.request.injectedAt {
            lines.append("  @Injected at \(place)")
        }
        if path.count > 1 {
            lines.append("  while building, outermost first:")
            lines += path.dropLast().map { "    \(words(of: $0))" }
        } else if asked.request.injectedAt == nil {
            lines.append("  by a resolve outside every factory")
        }
        lines.append("  fix: register a stand-in for it, or for what asked")
        return Comment(rawValue: lines.joined(separator: "\n"))
    }

    /// An object lives on.
    static func alive(_ type: String, _ comment: Comment?) -> Comment {
        let words = "\(type) is kept alive after the flow that made it"
        return comment.map { "\($0.rawValue): \(words)" } ?? Comment(rawValue: words)
    }

    private static func words(of step: ResolutionError.Step) -> String {
        var line = "\(step.request), registered at \(step.registeredAt)"
        if step.isCompleting {
            line += ", in initCompleted"
        }
        if let place = step.request.injectedAt {
            line += ", for @Injected at \(place)"
        }
        return line
    }
}
