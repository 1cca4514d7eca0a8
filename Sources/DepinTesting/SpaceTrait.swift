import Depin
import Testing

/// A trait that runs each test case in a space of its own.
///
/// You do not name this type; you write one of its makers on a test or a suite:
///
/// ```swift
/// @Suite(.assemblies { AppAssembly(); FakeNetworkAssembly() })
/// struct FeedTests {
///     @Test(.overriding { $0.register(Clock.self) { StoppedClock() } })
///     func `shows the time of the last refresh`() { … }
/// }
/// ```
///
/// Traits apply from the outside in: a suite's before its tests', and on one line from left to right.
/// Where two set the same thing, the inner or later one wins; where they differ, both hold.
///
/// What a trait makes, it makes anew for every test case, each argument of a parameterized test
/// included, and right before the case runs. So cases share nothing, in parallel or one after the other.
/// When making it throws, the case fails with that error and does not run. After the case, the containers
/// that were made for it release their shared instances.
///
/// A trait's closures run on the main actor, so they may make what is isolated to it: the assemblies of a module
/// whose types are so by default. What they register is built wherever it is asked for.
///
/// The overrides follow the test's task, as those of `withSpace` do: see <doc:TestingGuide>. Where an object
/// that was made under them is still there after the case, a global for one, a warning at the test names its
/// `@Injected` property by file and line.
public struct SpaceTrait: TestTrait, SuiteTrait, TestScoping {
    typealias Scope =
        @Sendable (
            _ test: Test,
            _ function: @Sendable () async throws -> Void
        ) async throws -> Void

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
        // A trait further out looks at what is left when its own containers are gone too.
        guard SpaceValues.current[CaptureWatchKey.self] == nil else {
            return try await scope(test, function)
        }
        let watch = CaptureWatch()
        try await withSpace(
            { $0[CaptureWatchKey.self] = watch },
            operation: { try await scope(test, function) }
        )
        await untilTrue(within: .milliseconds(250)) { watch.places.isEmpty }
        let places = watch.places
        guard !places.isEmpty else { return }
        Issue.record(.held(places), severity: .warning, sourceLocation: test.sourceLocation)
    }
}
