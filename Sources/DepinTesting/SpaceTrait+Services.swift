import Depin
import Testing

extension Trait where Self == SpaceTrait {
    /// Gives each test case an assembler of its own, with nothing but these assemblies.
    ///
    /// ```swift
    /// @Suite(
    ///     .assemblies {
    ///         AppAssembly()
    ///         FakeNetworkAssembly()      // what it registers wins over what came before
    ///     }
    /// )
    /// struct CheckoutTests { … }
    /// ```
    ///
    /// The assemblies are made and applied for each case, with the new assembler in force, so `loaded`
    /// resolves from it. The assembler outside, the app's or a suite's, is not used.
    ///
    /// If the test drops an instance with an `onClose` by `resetObjectScope`, a warning says so.
    ///
    /// An assembly that `replaces` another takes its place wherever that is required. If none of the
    /// replaced types was passed or required, the test fails, so that no fake outlives the service that it
    /// replaces. Write `.assemblies` before `.overriding`, `.forbidding` and `.opening`: after them it would drop what
    /// they replace, forbid or open, and a warning says so.
    ///
    /// - Parameter assemblies: Makes the assemblies, in the order in which to apply them.
    /// - Returns: The trait.
    public static func assemblies(
        @AssemblyResultBuilder _ assemblies:
            @escaping @MainActor @Sendable () async throws -> [any Assembly]
    ) -> SpaceTrait {
        SpaceTrait { test, function in
            let assembler = Assembler()
            if SpaceValues.current[ReplacingKey.self] {
                let comment = Comment.dropping("`.assemblies`", "`.assemblies`")
                Issue.record(comment, severity: .warning, sourceLocation: test.sourceLocation)
            }
            try await withSpace {
                $0.dependenciesAssembler = assembler
                $0[ReplacingKey.self] = false
            } operation: {
                defer { SpaceValues.current.dependenciesContainer.engine.dropInstances() }
                try await apply(assemblies, to: assembler)
                let applications = assembler.container.engine.inForce.applications
                for (assembly, replaced) in applications.idleReplacements {
                    let comment = Comment.idle(assembly, insteadOf: replaced)
                    Issue.record(comment, sourceLocation: test.sourceLocation)
                }
                try await warningOfDrops(at: test.sourceLocation, function)
            }
        }
    }

    /// Replaces single services, for each test case on its own.
    ///
    /// ```swift
    /// @Test(.overriding { $0.register(API.self) { FakeAPI() } })
    /// func `shows the feed`() { … }
    /// ```
    ///
    /// The closure registers on a fork of the container in force. The fork has the same registrations and
    /// nothing built, and nothing that it builds reaches the original. The closure runs with the fork in
    /// force, so `@Injected` properties of the objects it makes resolve from the fork.
    ///
    /// With `strict: true`, the test fails for each registration and decorator of the closure that is never
    /// used, so that no fake outlives the service that it replaces. The failure is recorded at the test and
    /// names the service and the line. An instance counts as used when it is first requested, a factory
    /// when it first runs, under any of its types, and a decorator when a factory of its service first
    /// runs. A test that throws is not examined.
    ///
    /// ```swift
    /// @Test(.overriding(strict: true) { $0.register(API.self) { FakeAPI() } })
    /// func `asks the API`() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - strict: Whether a registration or decorator that is never used fails the test.
    ///   - register: Registers on the fork. It runs for each case.
    /// - Returns: The trait.
    public static func overriding(
        strict: Bool = false,
        _ register: @escaping @MainActor @Sendable (Container) throws -> Void
    ) -> SpaceTrait {
        SpaceTrait { test, function in
            let unused = Guarded<[ObservedRegistration]>([])
            let replace = { @MainActor @Sendable (fork: Container) in
                guard strict else { return try register(fork) }
                let before = Set(fork.observable.map(\.number))
                try register(fork)
                let added = fork.observe(where: { !before.contains($0.number) }) { used, _ in
                    unused.withLock { $0.removeAll { $0.number == used.number } }
                }
                unused.withLock { $0 = added }
            }
            try await withOwnSpace(overriding: replace, at: test.sourceLocation, function)
            for registration in unused.withLock(\.copied) {
                Issue.record(.unused(registration), sourceLocation: test.sourceLocation)
            }
        }
    }

    /// Fails the test if it uses a service that it must not use.
    ///
    /// ```swift
    /// @Suite(.forbidding(API.self))
    /// struct OfflineTests {
    ///     @Test func `starts from the cache`() { … }
    /// }
    /// ```
    ///
    /// The failure is recorded at the test and names what requested the service: the running factories,
    /// outermost first, and the `@Injected` property at the start. The test continues with the service. If
    /// the live one must not be built at all, replace it in a trait before this one. A service that a later
    /// trait or the test itself registers is allowed.
    ///
    /// This forbids the service with any arguments, and under every type that forwards to the same
    /// registration. A request that finds nothing, for example of an optional, is allowed. To forbid what is requested
    /// as a collection, an optional or a `Lazy`, name the type of the service in it.
    ///
    /// - Parameters:
    ///   - serviceType: The type of the service.
    ///   - name: Forbids only the registration of this name, and not one for any name; nil forbids all of them.
    /// - Returns: The trait.
    public static func forbidding<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil
    ) -> SpaceTrait {
        let name = name?.name
        return SpaceTrait { test, function in
            let late = Guarded<[Comment]>([])
            let forbid = { @MainActor @Sendable (fork: Container) in
                func isForbidden(_ registration: ObservedRegistration) -> Bool {
                    let request = registration.request
                    return !registration.isDecorator && request.serviceType == serviceType
                        && (name == nil || request.name == name)
                }
                fork.observe(where: isForbidden) { registration, path in
                    let comment = Comment.forbidden(registration, path)
                    // Elsewhere the testing library could not tell which test the issue belongs to.
                    if Test.current?.id == test.id {
                        Issue.record(comment, sourceLocation: test.sourceLocation)
                    } else {
                        late.withLock { $0.append(comment) }
                    }
                }
            }
            defer {
                for comment in late.withLock(\.copied) {
                    Issue.record(comment, sourceLocation: test.sourceLocation)
                }
            }
            try await withOwnSpace(overriding: forbid, at: test.sourceLocation, function)
        }
    }
}

extension Applications {
    /// The assemblies whose replaced type nobody has given or required, and that type.
    fileprivate var idleReplacements: [(assembly: Any.Type, replaced: Any.Type)] {
        let needs = given + all.flatMap(\.needs)
        let known = needs.map(\.type) + all.map(\.type)
        return all.flatMap { application in
            application.replaces.filter { type in !known.contains { $0 == type } }
                .map { (application.type, $0) }
        }
    }
}

/// Runs a test on a fork whose shared instances end with the test.
private func withOwnSpace(
    overriding register: @MainActor @Sendable (Container) throws -> Void,
    at location: SourceLocation,
    _ function: @Sendable () async throws -> Void
) async throws {
    var values = try await MainActor.run { try SpaceValues.overriding { try register($0) } }
    values[ReplacingKey.self] = true
    try await withSpace(values) {
        defer { SpaceValues.current.dependenciesContainer.engine.dropInstances() }
        try await warningOfDrops(at: location, function)
    }
}

/// Runs a test, and warns of instances with closers that a reset in it drops.
private func warningOfDrops(
    at location: SourceLocation,
    _ function: @Sendable () async throws -> Void
) async throws {
    let engine = SpaceValues.current.dependenciesContainer.engine
    // A trait around this one is told of its forks, too.
    guard !engine.observers.contains(where: { $0 is DropObserver }) else {
        return try await function()
    }
    let observer = DropObserver()
    engine.observe(by: observer)
    defer {
        engine.endObserving(by: observer)
        // Elsewhere the testing library could not tell which test the issue belongs to.
        for comment in observer.warnings {
            Issue.record(comment, severity: .warning, sourceLocation: location)
        }
    }
    try await function()
}

// Services whose types are isolated to the main actor can only be made there.
@MainActor
private func apply(
    _ assemblies: @MainActor () async throws -> [any Assembly],
    to assembler: Assembler
) async throws {
    assembler.apply(assemblies: try await assemblies())
}
