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
