import Depin
import DepinInspection
import Foundation

/// A page that shows what the program is made of: `swift run QuickStart --picture feed.html`.
@MainActor
enum Picture {
    /// The file that the command line names.
    static var file: URL? {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, arguments[1] == "--picture" else { return nil }
        return URL(filePath: arguments[2])
    }

    static func write(to file: URL) throws {
        print("A validation builds each service once")
        let report = try Assembler([NetworkAssembly(), FeedAssembly()]).validate()
        try report.html(title: "QuickStart").write(to: file)
        print("\(report.graph.nodes.count) services are in \(file.lastPathComponent)")
    }
}
