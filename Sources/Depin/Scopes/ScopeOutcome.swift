/// How the work of a scope ended, as its closers hear it.
///
/// ```swift
/// container.register(UnitOfWork.self) { r in UnitOfWork(r ~> Database.self) }
///     .inObjectScope(.request)
///     .onClose { unit, outcome in
///         if outcome.isCompleted { try await unit.commit() } else { try await unit.rollback() }
///     }
/// ```
public enum ScopeOutcome: Sendable {
    /// The work was done.
    case completed
    /// The work threw an error.
    case failed(any Error)
    /// The task was canceled.
    case canceled

    /// True where the work was done.
    public var isCompleted: Bool { if case .completed = self { true } else { false } }
}
