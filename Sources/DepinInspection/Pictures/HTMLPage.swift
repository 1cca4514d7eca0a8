#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An interactive page: one HTML file that needs nothing else, and no network.
///
/// ```swift
/// let page = try container.validate().html(title: "Feed")
/// try page.write(to: URL(filePath: "feed.html"))
/// ```
///
/// Names and messages of your program are escaped. The page asks nothing of a server, so you can open it
/// from a disk, keep it with the results of a build, or attach it to a pull request.
public struct HTMLPage: Sendable {
    /// The whole file.
    public let text: String

    /// A page whose script shows the data in the body.
    init(title: String, data: JSON, body: String, script: String) {
        text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="data:,">
            <title>\(title.escapedForHTML)</title>
            <style>
            \(PageStyle.text)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title.escapedForHTML)</h1>
            <p id="summary"></p>
            <noscript><p>This page draws what it shows with a script.</p></noscript>
            </header>
            \(body)
            <script type="application/json" id="data">\(data.written)</script>
            <script type="module">
            \(PageScript.common)
            \(script)
            </script>
            </body>
            </html>

            """
    }

    /// The field for the words to search for, which every page has.
    static let search = """
        <label>Search
        <input type="search" id="search" placeholder="Type, name, module, file…" autocomplete="off"
        aria-keyshortcuts="/" aria-controls="list">
        </label>
        """

    /// Writes the page to a file, in UTF-8.
    ///
    /// ```swift
    /// try container.dependencyGraph().html(title: "Feed").write(to: URL(filePath: "feed.html"))
    /// ```
    ///
    /// An existing file is replaced only when the new one is complete.
    ///
    /// - Parameter url: The file.
    /// - Throws: What Foundation throws if the file cannot be written.
    public func write(to url: URL) throws {
        try Data(text.utf8).write(to: url, options: .atomic)
    }
}
