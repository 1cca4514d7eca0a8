import Foundation

extension ProcessInfo {
    /// True when unit tests run in this process.
    ///
    /// On Apple platforms an app hosts its unit tests: it starts, then the tests are loaded into it, and
    /// Xcode says so in the environment. An app that a user-interface test drives is another process
    /// than the test and is not told, so it assembles as always.
    ///
    /// On Linux the tests are a program of their own, named `….xctest`, in which nobody calls the
    /// app's `main`, unless a test does.
    var isRunningUnitTests: Bool {
        environment["XCTestConfigurationFilePath"] != nil
            || environment["XCTestBundlePath"] != nil
            || arguments.first?.hasSuffix(".xctest") == true
    }
}
