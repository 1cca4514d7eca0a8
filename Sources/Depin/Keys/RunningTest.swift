/// Knows the running test: a type of DepinTesting, which this module does not link.
package protocol RunningTest: SendableMetatype {
    /// The name of the test that the current code belongs to; nil outside of tests.
    static var name: String? { get }

    /// Hears of a registration in a container's engine.
    static func didRegister(_ key: ServiceKey, at place: CodePlace, in engine: AnyObject)

    /// Records a warning of the test.
    static func warn(_ text: String)
}

/// The tests of the process, if it runs any.
package enum RunningTests {
    // Found by its name, because a hook would have to be set before the first test, and a test need not have a trait.
    /// Nil if DepinTesting is not in the process.
    package static let known: (any RunningTest.Type)? =
        _typeByName("12DepinTesting11CurrentTestO") as? any RunningTest.Type

    /// The last line of a message that stops the process, which may be all that is left of it.
    static var lastLine: String { known?.name.map { "\n  in the test \($0)" } ?? "" }
}
