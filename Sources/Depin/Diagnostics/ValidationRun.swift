/// Builds every registration once, and notes what goes wrong.
///
/// It watches a fork: whatever a factory there asks for is built once in the whole run, whatever its
/// scope, and what it needs is noted.
final class ValidationRun: Interceptor, @unchecked Sendable {
    // Guarded: the variables by `lock`, since a factory may resolve on other threads.
    private let lock = Lock()
    private var products: [ObjectIdentifier: [Product]] = [:]
    private var found: [Survey.Finding] = []
    private var known: Set<String> = []
    private let isIgnored: @Sendable (Survey.Kind) -> Bool

    private struct Product {
        let arguments: Arguments?
        let result: Result<any AnyBox & Sendable, any Error>
    }

    init(ignoring isIgnored: @escaping @Sendable (Survey.Kind) -> Bool) {
        self.isIgnored = isIgnored
    }

    deinit {
        lock.destroy()
    }

    var findings: [Survey.Finding] { lock.withLock { found.copied } }

    /// Notes a problem, unless it has been noted before.
    func add(_ finding: Survey.Finding) {
        lock.withLock {
            if known.insert(finding.identity).inserted {
                found.append(finding)
            }
        }
    }

    override var account: String {
        let findings = findings.filter { !isIgnored($0.kind) }
        guard !findings.isEmpty else {
            return "\nvalidation stops here, with no other problem found"
        }
        let texts = findings.map { $0.text.split(separator: "\n").joined(separator: "\n     ") }
        let list = texts.enumerated().map { "\n  \($0 + 1). \($1)" }
        return "\nvalidation stops here; it had found:" + list.joined()
    }

    // MARK: - Sharing everything

    override func intercept<Service>(
        _ request: ServiceRequest,
        in core: ContainerCore,
        _ proceed: (ServiceRequest) throws -> Service?
    ) throws -> Service? {
        let found = core.lookUp(request.key)
        core.noteNeed(for: request, found)
        guard let found else {
            let answer = try proceed(request)
            if case .none = answer {
                // The next thing may be a force unwrap, which stops the program without a word.
                printToStandardError("Depin, validating: \(core.missing(request))")
            }
            return answer
        }
        let box = try product(of: found, for: request, askedOf: core)
        if found.entry.serviceType == Service.self {
            return unsafeDowncast(box, to: Box<Service>.self).value
        }
        guard let service = box.anyValue as? Service else {
            throw ResolutionError(
                reason: .forwardMismatch(
                    product: type(of: box.anyValue),
                    registeredAt: found.entry.place
                ),
                request: request.forError,
                path: Resolution.path
            )
        }
        return service
    }

    private func product(
        of found: ContainerCore.Found,
        for request: ServiceRequest,
        askedOf core: ContainerCore
    ) throws -> any AnyBox {
        let identity = ObjectIdentifier(found.entry)
        let arguments = request.input.arguments
        let candidates = lock.withLock { products[identity]?.copied ?? [] }
        if let product = candidates.first(where: { Arguments.isEqual($0.arguments, arguments) }) {
            return try product.result.get()
        }
        let result = Result {
            try found.entry.accept(
                BoxMaker(request: request, asked: core, holder: found.holder)
            )
        }
        // A circle fails for those on it, and may not fail when it is entered elsewhere.
        if case .failure(let error as ResolutionError) = result,
            case .circularDependency = error.reason
        {
            throw error
        }
        lock.withLock {
            products[identity, default: []].append(Product(arguments: arguments, result: result))
        }
        return try result.get()
    }

    // MARK: - Running

    /// Asks for what is registered under a key.
    func check(_ key: ServiceKey, in core: ContainerCore) throws {
        func ask<Service>(_: Service.Type) throws {
            let request = ServiceRequest(key.serviceType, name: key.name, option: key.option)
            _ = try core.require(request) as Service
        }
        // The empty frame lets a factory of a parent find the fork, where it captured the original.
        try Resolution.within(ObjectGraph.make(), asked: core) {
            try _openExistential(key.serviceType, do: ask)
        }
    }
}

/// Builds what an entry gives, in a box of its type.
private struct BoxMaker: EntryVisitor {
    let request: ServiceRequest
    let asked: ContainerCore
    let holder: ContainerCore

    func visit<Service>(_ entry: ServiceEntry<Service>) throws -> any AnyBox & Sendable {
        if entry.isUnshared {
            return Box(try asked.construct(entry, for: request))
        }
        return try holder.share(entry, for: request)
    }
}

extension Survey.Finding {
    init(_ error: ResolutionError) {
        let kind: Survey.Kind =
            switch error.reason {
            case .notRegistered: .missing
            case .circularDependency, .recursionTooDeep: .circular
            case .forwardMismatch: .forwardMismatch
            case .offMainActor: .mainActor
            case .factoryFailed, .containerGone: .failed
            }
        self.init(kind: kind, nodes: [], error: error, text: error.description)
    }

    /// Tells one problem from another: an error is the same on whatever way it is met.
    fileprivate var identity: String {
        guard let error else { return "\(kind) \(text)" }
        if case .circularDependency = error.reason {
            let path = error.path.map { "\($0.request)" }
            let start = path.lastIndex(of: "\(error.request)") ?? path.startIndex
            return "\(kind) " + path[start...].sorted().joined(separator: ", ")
        }
        let asker = error.path.last.map { "\($0.request) at \($0.registeredAt)" } ?? ""
        return "\(kind) \(error.request) for \(asker)"
    }
}
