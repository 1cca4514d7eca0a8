import Foundation

/// A value that several threads change.
final class Cell<Value>: @unchecked Sendable {  // Guarded by `lock`.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value { lock.withLock { stored } }

    func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }

    /// Takes the value, whose parts may end without the lock, and leaves another.
    func replace(by value: Value) -> Value {
        change { stored in
            defer { stored = value }
            return stored
        }
    }
}

extension Cell where Value: RangeReplaceableCollection {
    /// A true copy, because ThreadSanitizer does not see what makes a shared one safe.
    var value: Value { lock.withLock { Value(stored.map { $0 }) } }
}
