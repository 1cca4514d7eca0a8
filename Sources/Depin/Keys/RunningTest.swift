/// What knows the test that runs: a type of DepinTesting, which this module does not link.
package protocol RunningTest: SendableMetatype {
    /// The test of the code that is running, as messages name it; nil outside of tests.
    static var name: String? { get }

    /// Hears of a registration in a container's engine.
    static func didRegister(_ key: ServiceKey, at place: CodePlace, in engine: AnyObject)

    /// Records a warning of the test.
    static func warn(_ text: String)
}

/// The tests of the process, if it runs any.
package enum RunningTests {
    // By its name, because a hook would have to be set before the first test, and a test need not have a trait.
    /// Nil where DepinTesting is not in the process.
    package static let known: (any RunningTest.Type)? =
        _typeByName("12DepinTesting11CurrentTestO") as? any RunningTest.Type

    /// The last line of a message that stops the process, which is all that its reader has.
    static var lastLine: String { known?.name.map { "\n  in the test \($0)" } ?? "" }
}
