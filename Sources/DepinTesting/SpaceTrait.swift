import Depin
import Testing

/// A trait that runs each test case in a space of its own.
///
/// You do not use this type by name. Write one of its factory methods on a test or a suite:
///
/// ```swift
/// @Suite(.assemblies { AppAssembly(); FakeNetworkAssembly() })
/// struct FeedTests {
///     @Test(.overriding { $0.register(Clock.self) { StoppedClock() } })
///     func `shows the time of the last refresh`() { … }
/// }
/// ```
///
/// Traits apply from the outside in: a suite's before its tests', and several on one line from left to
/// right. If two of them set the same thing, the inner or later one wins.
///
/// A trait runs again right before every test case, once for each argument of a parameterized test. So
/// cases share nothing, whether in parallel or one after the other. If a trait throws, the case fails with
/// that error and does not run. After the case, the containers that a trait made release their shared instances.
///
/// A trait's closures run on the main actor, so they can make types isolated to it, such as the assemblies
/// of a module with that default. The services are built on whatever thread requests them.
///
/// The overrides follow the test's task, as those of `withSpace` do: see <doc:TestingGuide>. If an object
/// made under them is still alive after the case, for example a global, a warning at the test names the
/// file and line of its `@Injected` property.
public struct SpaceTrait: TestTrait, SuiteTrait, TestScoping {
    typealias Scope =
        @Sendable (_ test: Test, _ function: @Sendable () async throws -> Void) async throws -> Void

    private let scope: Scope

    init(_ scope: @escaping Scope) {
        self.scope = scope
    }

    /// True: on a suite, the trait is applied to each test in it, at every depth.
    public var isRecursive: Bool { true }

    /// Runs a test case in the space that the trait makes for it.
    ///
    /// Swift Testing calls it; a test does not.
    ///
    /// - Throws: What `function`, or making the space, throws.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        // A trait further out looks at the remains when its own containers are gone, too.
        guard SpaceValues.current[CaptureWatchKey.self] == nil else {
            return try await scope(test, function)
        }
        LibraryCopies.report()
        let watch = CaptureWatch()
        try await withSpace(
            {
                $0[CaptureWatchKey.self] = { watch.remember($0, at: $1) }
                $0[TestKey.self] = test
            },
            operation: { try await scope(test, function) }
        )
        await untilTrue(within: .milliseconds(250)) { watch.places.isEmpty }
        let places = Set(watch.places)
        guard !places.isEmpty else { return }
        Issue.record(.held(places), severity: .warning, sourceLocation: test.sourceLocation)
    }
}
