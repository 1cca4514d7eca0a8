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
