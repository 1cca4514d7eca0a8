import Foundation

/// What a user-interface test, a preview or a person at a terminal asks of the app when it starts.
///
/// On Apple platforms a user-interface test sets them as `XCUIApplication().launchArguments`, and
/// Xcode's scheme editor as "Arguments Passed On Launch"; the app reads them in the same way.
struct LaunchArguments {
    /// `--offline`: no request leaves the machine.
    var isOffline: Bool
    /// `--language fr`: the language of the screens.
    var language: String?
    /// `--now 9:41`: the clock stands still.
    var now: String?

    init(_ arguments: [String]) {
        func value(after flag: String) -> String? {
            arguments.firstIndex(of: flag).flatMap { arguments.dropFirst($0 + 1).first }
        }
        isOffline = arguments.contains("--offline")
        language = value(after: "--language")
        now = value(after: "--now")
    }
}

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
