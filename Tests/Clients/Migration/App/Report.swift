/// What each of the apps reports of being used, and of being tested.
package enum Report {
    package static let live = [
        "Rain until Friday, A cat on the moon",
        "profile 7 of 2 titles",
        "one API: true",
        "one session: true, after logout: false",
        "news 1, sports 1",
        "news 2, sports 2",
        "pictures while shown: true",
        "log: asked the network, asked the network",
        "audit: logged out",
        "not tracked",
    ]

    package static let fake = ["fake news", "profile 7 of 1 titles"]

    /// Whether a line is about more than scopes, arguments and optionals, which some libraries lack.
    package static func isOfValues(_ line: String) -> Bool {
        !["one session", "news", "pictures", "not tracked"].contains { line.hasPrefix($0) }
    }
}
