import Depin
import DepinTesting
import Foundation
import Testing

/// Runs a body and returns the issues that it records, which then are nobody's failure.
func issues(of body: @escaping @Sendable () async throws -> Void) async throws -> [Issue] {
    let test = try #require(Test.current)
    let collector = IssueCollector()
    let trait = IssueHandlingTrait.compactMapIssues { issue in
        collector.add(issue)
        return nil
    }
    try await trait.provideScope(for: test, testCase: .current, performing: body)
    return collector.all
}

/// Runs a body as a test with a trait would, and returns the issues that this records.
func issues(
    with trait: SpaceTrait,
    of body: @escaping @Sendable () async throws -> Void
) async throws -> [Issue] {
    let test = try #require(Test.current)
    return try await issues {
        try await trait.provideScope(for: test, testCase: .current, performing: body)
    }
}

extension Issue {
    var text: String {
        comments.map(\.rawValue).joined(separator: "\n")
    }
}

private final class IssueCollector: @unchecked Sendable {
    private let lock = NSLock()
    private var issues: [Issue] = []  // guarded by lock

    func add(_ issue: Issue) {
        lock.withLock { issues.append(issue) }
    }

    var all: [Issue] {
        lock.withLock { issues }
    }
}
