import Depin

/// What `validate()` found, and how it checked.
public struct ValidationReport: Sendable {
    /// The problems, errors first.
    public let problems: [Problem]
    /// The registrations checked by type: those of `autoregister`, and instances, which need
    /// nothing.
    public let checkedByTypes: [Registration]
    /// The registrations checked only by running their factories.
    public let checkedByRunning: [Registration]
    /// The registrations that could not be checked, and why.
    public let unchecked: [(registration: Registration, reason: String)]
    /// The registrations that no `@Injected` property and no root needs, directly or indirectly.
    ///
    /// Empty if the validation got neither properties nor roots. For a factory that did not run, only
    /// declared needs are known.
    public let unreached: [Registration]
    /// How many `@Injected` properties were checked, by their types, as if each asked this container.
    public var propertyCount: Int { survey.injections.count }
    /// The properties that could not be checked completely, and why: the type is registered only under names
    /// or only in another assembler of the space, or it depends on a generic parameter.
    public var unknownProperties: [(property: String, reason: String)] { survey.unknownProperties }
    /// If services are missing, the assemblies that were not applied, of the modules of the properties.
    public let unappliedAssemblies: [String]
    /// The registrations and their needs.
    let survey: Survey

    /// A checked registration.
    public struct Registration: Sendable, CustomStringConvertible {
        /// The request that finds it.
        public let request: ResolutionError.Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// The registration's number in the survey.
        let number: Int

        /// `Feed, registered at App/FeedAssembly.swift:12`.
        public var description: String { "\(request), registered at \(registeredAt)" }
    }

    /// Something that is, or may be, wrong.
    public struct Problem: Sendable, CustomStringConvertible {
        /// What kind of problem it is.
        public let kind: Kind
        /// How bad it is.
        public internal(set) var severity: Severity
        /// The error that a resolution would get, if any.
        public let error: ResolutionError?
        /// The places that the problem is about.
        public internal(set) var places: [CodePlace] = []
        /// The text of the problem, if no error describes it.
        private let text: String?
        /// The numbers of the registrations and properties that the problem is about.
        var nodes: [Int] = []
        /// The registrations of which each needs the next one, if these needs are the problem.
        var way: [Int] = []

        init(_ kind: Kind, error: ResolutionError? = nil, _ text: String? = nil) {
            self.kind = kind
            severity = kind.defaultSeverity
            self.error = error
            self.text = text
        }

        /// The whole message: what is wrong, where, and what to do.
        public var description: String {
            // Of a thousand misses among as many registrations few are read, and each would be compared with all of
            // them.
            text.map(Page.cut) ?? error?.description ?? ""
        }
    }

    /// How bad a problem is.
    public enum Severity: Int, Comparable, Sendable {
        /// Worth a look, and possibly deliberate.
        case hint
        /// Reported.
        case warning
        /// Reported, and the validation fails.
        case error

        /// True when the first is less bad.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The kinds of problems.
    ///
    /// Later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// Its name, as in source code.
        public let description: String
        /// The severity unless you pass another one to `validate`: a warning for ``ignoredArguments``,
        /// ``ambiguousArgument``, ``idleOverride``, ``mainActor``, ``shadowedScope``, ``emptyCollection``,
        /// ``unusedContribution``, ``unusedDecorator`` and ``idleEager``, which may be deliberate; a hint for
        /// ``unsharedChild``; and an error for all others.
        public let defaultSeverity: Severity

        /// The kind in words: `silent overwrite` for `silentOverwrite`.
        var words: String {
            description.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
        }

        private init(_ description: String, _ severity: Severity = .error) {
            self.description = description
            defaultSeverity = severity
        }

        /// A needed service is not registered.
        public static let missing = Kind("missing")
        /// A service needs itself to be built.
        public static let circular = Kind("circular")
        /// A factory threw.
        public static let failed = Kind("failed")
        /// A type forwards to a registration whose instance does not conform.
        public static let forwardMismatch = Kind("forwardMismatch")
        /// A shared instance keeps an instance of a shorter-lived scope.
        public static let captive = Kind("captive")
        /// A shared registration takes arguments: the first ones win.
        public static let ignoredArguments = Kind("ignoredArguments", .warning)
        /// No parameter of an initializer takes a runtime argument.
        public static let unusedArgument = Kind("unusedArgument")
        /// A runtime argument serves several parameters of an initializer, or several fit one.
        public static let ambiguousArgument = Kind("ambiguousArgument", .warning)
        /// A registration silently replaces another one, or an assembly that is applied twice doubles its
        /// decorators or contributions.
        public static let silentOverwrite = Kind("silentOverwrite")
        /// A registration replaces another one whose shared instance is in use.
        ///
        /// This is not noted for registered instances.
        public static let lateOverwrite = Kind("lateOverwrite")
        /// A registration is marked as overriding, but replaces nothing.
        public static let idleOverride = Kind("idleOverride", .warning)
        /// A service that can be built on any thread needs one that is built on the main actor.
        public static let mainActor = Kind("mainActor", .warning)
        /// Synchronous code needs an asynchronous service that is not ready by then.
        public static let needsAwait = Kind("needsAwait")
        /// Something needs a `Scoped` of a service that belongs to no scope that opens and closes.
        public static let notOpened = Kind("notOpened")
        /// A child replaces a parent's registration, in another scope.
        public static let shadowedScope = Kind("shadowedScope", .warning)
        /// Something needs a collection that has no contributions.
        public static let emptyCollection = Kind("emptyCollection", .warning)
        /// A registered collection hides its contributions.
        public static let unusedContribution = Kind("unusedContribution", .warning)
        /// A decorator is for a service that is not registered.
        public static let unusedDecorator = Kind("unusedDecorator", .warning)
        /// Warming up cannot make, or cannot keep, a service that is marked as eager.
        public static let idleEager = Kind("idleEager", .warning)
        /// Two contributions to one type have the same name.
        public static let duplicateName = Kind("duplicateName")
        /// A child container shares none of its services.
        public static let unsharedChild = Kind("unsharedChild", .hint)
    }

    /// The problems that make the validation fail.
    public var errors: [Problem] { problems.filter { $0.severity == .error } }
}

extension ValidationReport: CustomStringConvertible {
    /// The problems, and how the registrations were checked: of each what fits on a page.
    public var description: String {
        let count = checkedByTypes.count + checkedByRunning.count + unchecked.count
        let found = problems.isEmpty ? "no problem" : Self.count(problems.count, "problem")
        var lines = ["validation of \(Self.count(count, "registration")) found \(found)"]
        lines += Self.list(problems)
        lines.append(
            "  checked by type: \(checkedByTypes.count),"
                + " only by running: \(checkedByRunning.count),"
                + " not checked: \(unchecked.count)"
        )
        lines += Self.list(unchecked.lazy.map { "\($0.registration): \($0.reason)" })
        if propertyCount > 0 || !unknownProperties.isEmpty {
            lines.append(
                "  @Injected properties: \(propertyCount), checked by type against this container;"
                    + " checked only in part: \(unknownProperties.count)"
            )
            lines += Self.list(unknownProperties.lazy.map { "\($0.property): \($0.reason)" })
            lines.append(
                "    not in the metadata: names and `assembler:` of properties;"
                    + " globals, static properties, local variables"
            )
        }
        if !unappliedAssemblies.isEmpty {
            let names = Page.list(unappliedAssemblies, lines: 10).joined(separator: ", ")
            lines.append("  assemblies that were not applied to this container: \(names)")
        }
        if !unreached.isEmpty {
            lines.append("  not known to be needed: \(unreached.count)")
            lines += Self.list(unreached.lazy.map { "\($0)" })
        }
        return Page.cut(lines.joined(separator: "\n"))
    }

    private static func list(_ problems: [Problem]) -> [String] {
        let texts = problems.indices.lazy.map { index in
            let problem = problems[index]
            let text = problem.description.split(separator: "\n").joined(separator: "\n     ")
            return "\(index + 1). \(problem.severity): \(text)"
        }
        return Page.list(texts, lines: 60).map { "  " + $0 }
    }

    /// The first of some texts that are no problems.
    private static func list(_ texts: some Collection<String>) -> [String] {
        Page.list(texts, lines: 10).map { "    " + $0 }
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}

/// All problems of a validation, in one error.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
    /// What was found.
    public let report: ValidationReport

    /// The problems that make the validation fail.
    public var problems: [ValidationReport.Problem] { report.errors }

    /// The problems, and how the registrations were checked: of each what fits on a page.
    public var description: String { report.description }
}
