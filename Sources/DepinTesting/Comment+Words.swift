import Depin
import Testing

// Every sentence that can fail a user's test is in this file.

extension Comment {
    /// An override that nothing requested, or a decorator that wrapped nothing.
    static func unused(_ registration: ObservedRegistration) -> Comment {
        """
        the \(registration.isDecorator ? "decorator" : "override") of \(registration.request) at \(registration.place) was never used
          fix: remove it, or make the test use the service
        """
    }

    /// An assembly replaces one that was not there.
    static func idle(_ assembly: Any.Type, insteadOf replaced: Any.Type) -> Comment {
        """
        \(assembly) replaces \(replaced), which this test neither applies nor requires
          fix: remove it, or apply the assembly that requires \(replaced)
        """
    }

    /// A test registers where other tests see it.
    static func shared(_ request: ResolutionError.Request, _ place: CodePlace) -> Comment {
        """
        \(request) was registered at \(place) in the container of the process, which other tests use, too
          fix: register it in a trait of the test: `.overriding { … }` or `.assemblies { … }`
        """
    }

    /// A test gets an assembler of its own after services were replaced, or a scope was opened.
    static func dropping(_ culprit: String, _ trait: String) -> Comment {
        """
        \(culprit) comes after `.overriding`, `.forbidding` or `.opening`, and drops it: this test uses an \
        assembler of its own
          fix: write \(trait) first; the traits of a suite come before those of its tests
        """
    }

    /// A reset has dropped an instance with a closer.
    static func dropped(_ request: ResolutionError.Request, _ place: CodePlace) -> Comment {
        """
        a reset dropped the instance of \(request), registered at \(place), without closing it
          fix: close the instances of the scope with `try await container.close(…)`
        """
    }

    /// A forbidden service was requested; the path ends with its registration.
    static func forbidden(
        _ registration: ObservedRegistration,
        _ path: [ResolutionError.Step]
    ) -> Comment {
        var lines = ["\(registration.request), which this test forbids, was requested"]
        let asked = path.last?.request
        var place = "  registered at \(registration.place)"
        if let asked, asked.serviceType != registration.request.serviceType {
            place += " as \(asked)"
        }
        lines.append(place)
        if let property = asked?.injectedAt {
            lines.append("  @Injected at \(property)")
        }
        if path.count > 1 {
            lines.append("  while building, outermost first:")
            lines += path.dropLast().map { "    " + $0.text(TypeNames([])) }
        } else if asked?.injectedAt == nil {
            lines.append("  by a request outside any factory")
        }
        lines.append("  fix: register a stand-in for it, or for what requested it")
        return Comment(rawValue: lines.joined(separator: "\n"))
    }

    /// Objects of a test live on.
    static func held(_ places: Set<CodePlace>) -> Comment {
        let lines = places.map(\.description).sorted().map { "    @Injected at \($0)" }
        return """
            the overrides of this test are still held after its end, by
            \(lines.joined(separator: "\n"))
              fix: use a global once before the tests, outside every override, or pass it its services
               or: await what the test starts, if a task holds them that still runs
            """
    }

    /// An object lives on, with the place of its registration if it is a service.
    static func alive(
        _ type: Any.Type,
        _ place: CodePlace?,
        _ holder: Container.Holder?,
        _ comment: Comment?
    ) -> Comment {
        var words = "\(type) is still alive after the flow that made it"
        if let comment {
            words = "\(comment.rawValue): \(words)"
        }
        if let place {
            words += "\n  registered at \(place)"
        }
        if let holder {
            words += "\n  " + self.words(of: holder)
        }
        return Comment(rawValue: words)
    }

    private static func words(of holder: Container.Holder) -> String {
        holder.isInstance
            ? """
            kept by an instance of \(holder.request), registered at \(holder.place)
              fix: have it hold the container weakly, or the resolver that its factory receives
            """
            : """
            captured by the factory or a callback of \(holder.request), registered at \(holder.place)
              fix: use the resolver that the factory receives, or capture the container weakly
            """
    }
}
