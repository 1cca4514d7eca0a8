import Depin
import Testing

/// The test that the current code belongs to; Depin finds this type by its name.
enum CurrentTest: RunningTest {
    /// Nil outside of tests, and in code that nothing connects with a test.
    static var test: Test? { Test.current ?? SpaceValues.current[TestKey.self] }

    static var name: String? {
        test.map { test in
            let location = test.sourceLocation
            return "\"\(test.displayName ?? test.name)\" at \(location.fileID):\(location.line)"
        }
    }

    static func warn(_ text: String) {
        guard let location = test?.sourceLocation else { return }
        Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: location)
    }

    static func didRegister(_ key: ServiceKey, at place: CodePlace, in engine: AnyObject) {
        guard let test = Test.current, SpaceValues.sharedContainer.engine === engine,
            informed.withLock({ $0.insert(test.id).inserted })
        else { return }
        Issue.record(
            .shared(ResolutionError.Request(key), place),
            severity: .warning,
            sourceLocation: SourceLocation(
                fileID: place.file,
                filePath: place.file,
                line: place.line,
                column: 1
            )
        )
    }

    /// The tests that have been told about the shared container: once is enough.
    private static let informed = Guarded<Set<Test.ID>>([])
}

/// True if a trait has replaced services or opened a scope, which a trait that begins anew drops.
enum ReplacingKey: SpaceKey {
    static var defaultValue: Bool { false }
}

/// The key under which a trait puts its test into the space, so that objects of the test know it on every thread.
enum TestKey: SpaceKey {
    static var defaultValue: Test? { nil }
}
