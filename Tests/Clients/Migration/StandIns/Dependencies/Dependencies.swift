import Foundation

// A stand-in for swift-dependencies 1, which cannot be fetched where this is built. It is not that
// library and shares no code with it: it declares, from what is publicly known, the names and
// signatures that the article on migration shows, and does what they are documented to do, no more.

package protocol TestDependencyKey<Value> {
    associatedtype Value: Sendable
    static var testValue: Value { get }
}

package protocol DependencyKey: TestDependencyKey {
    static var liveValue: Value { get }
}

extension DependencyKey {
    /// The live value, with a complaint: a test should say what it depends on.
    package static var testValue: Value {
        print("\(Self.self) has no test implementation, but was accessed from a test context.")
        return liveValue
    }
}

package enum DependencyContext: Sendable {
    case live, test
}

package struct DependencyValues: Sendable {
    @TaskLocal static var current = DependencyValues()

    private var overridden: [ObjectIdentifier: any Sendable] = [:]
    private var overriddenContext: DependencyContext?

    package var context: DependencyContext {
        get {
            let isTesting = CommandLine.arguments.contains { $0.contains("xctest") }
            return overriddenContext ?? (isTesting ? .test : .live)
        }
        set { overriddenContext = newValue }
    }

    package subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
        get {
            if let value = overridden[ObjectIdentifier(key)] as? Key.Value { return value }
            return Defaults.value(of: key, in: context)
        }
        set { overridden[ObjectIdentifier(key)] = newValue }
    }

    /// These values, with those of the other in front.
    func merging(_ other: DependencyValues) -> DependencyValues {
        var values = self
        values.overridden.merge(other.overridden) { $1 }
        values.overriddenContext = other.overriddenContext ?? overriddenContext
        return values
    }
}

/// Defaults, made once for each context.
///
/// Guarded by the lock, which is held while they are made.
private enum Defaults {
    static let lock = NSRecursiveLock()
    nonisolated(unsafe) static var made: [DependencyContext: [ObjectIdentifier: Any]] = [:]

    static func value<Key: TestDependencyKey>(
        of key: Key.Type,
        in context: DependencyContext
    ) -> Key.Value {
        lock.withLock {
            let identifier = ObjectIdentifier(key)
            if let value = made[context]?[identifier] as? Key.Value { return value }
            var value: Key.Value {
                guard context == .live, let live = key as? any DependencyKey.Type else {
                    return key.testValue
                }
                return live.liveValue as? Key.Value ?? key.testValue
            }
            let first = value
            made[context, default: [:]][identifier] = first
            return first
        }
    }
}

/// What the time is; ask for `\.date.now`.
package struct DateGenerator: Sendable {
    private let generate: @Sendable () -> Date

    package init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

    package static func constant(_ now: Date) -> Self { Self { now } }

    package var now: Date { generate() }
}

private enum DateKey: DependencyKey {
    static let liveValue = DateGenerator { Date() }
    static let testValue = DateGenerator { Date() }
}

/// Makes identifiers, a new one at each call.
package struct UUIDGenerator: Sendable {
    private let generate: @Sendable () -> UUID

    package init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

    package func callAsFunction() -> UUID { generate() }
}

private enum UUIDKey: DependencyKey {
    static let liveValue = UUIDGenerator { UUID() }
    static let testValue = UUIDGenerator { UUID() }
}

extension DependencyValues {
    package var date: DateGenerator {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }
    package var uuid: UUIDGenerator {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }
}

/// Captures the values in force when its object is made; those in force at an access come before them.
@propertyWrapper
package struct Dependency<Value> {
    private let initial: DependencyValues
    private let read: (DependencyValues) -> Value

    package init(_ keyPath: KeyPath<DependencyValues, Value>) {
        initial = .current
        read = { $0[keyPath: keyPath] }
    }

    package init<Key: TestDependencyKey>(_ key: Key.Type) where Key.Value == Value {
        initial = .current
        read = { $0[key] }
    }

    package var wrappedValue: Value {
        let values = initial.merging(.current)
        return DependencyValues.$current.withValue(values) { read(values) }
    }
}

@discardableResult
package func withDependencies<R>(
    _ updateValuesForOperation: (inout DependencyValues) throws -> Void,
    operation: () throws -> R
) rethrows -> R {
    var values = DependencyValues.current
    try updateValuesForOperation(&values)
    return try DependencyValues.$current.withValue(values, operation: operation)
}

@discardableResult
package func withDependencies<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ updateValuesForOperation: (inout DependencyValues) throws -> Void,
    operation: () async throws -> R
) async rethrows -> R {
    var values = DependencyValues.current
    try updateValuesForOperation(&values)
    return try await DependencyValues.$current.withValue(values, operation: operation)
}
