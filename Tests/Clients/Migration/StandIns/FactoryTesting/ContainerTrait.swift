import FactoryKit
import Testing

// Part of the stand-in for Factory: see FactoryKit/Container.swift.

/// Gives each test a container and singletons of its own, so that it registers what it likes.
package struct ContainerTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Scope.$singleton.withValue(Singleton()) {
            try await Container.$shared.withValue(Container()) {
                try await function()
            }
        }
    }
}

extension Trait where Self == ContainerTrait {
    package static var container: Self { Self() }
}
