import Depin
import DepinInspection
import Foundation
import GRDB
import Lists
import Logging

/// Writes a page that shows what depends on what, in the scope of a request too.
///
/// Everything is built for it, so that it also shows what factories ask for by hand.
func writePicture(
    to file: URL,
    of container: Container,
    in folder: URL,
    logger: Logger
) async throws {
    let database = try DatabasePool(path: folder.appending(path: "work.sqlite").path)
    let work = UnitOfWork(database: database, logger: logger)
    let report = try await container.validateAsync(.init(open: [.request])) {
        $0.seed(work, logger, for: Caller(user: User(name: "Ada"), requestID: "1"))
    }
    try report.html(title: "Server").write(to: file)
    print("\(report.graph.nodes.count) services are in \(file.lastPathComponent)")
}
