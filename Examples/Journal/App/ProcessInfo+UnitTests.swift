import Foundation

extension ProcessInfo {
    /// True when unit tests run in this process.
    ///
    /// On Apple platforms an app hosts its unit tests, and Xcode says so in its environment; on Linux the
    /// tests are a program of their own, named `….xctest`.
    var isRunningUnitTests: Bool {
        environment["XCTestConfigurationFilePath"] != nil
            || environment["XCTestBundlePath"] != nil
            || arguments.first?.hasSuffix(".xctest") == true
    }
}
