import Depin
import DepinInspection
import Foundation
import Testing

@testable import QuickStart

@MainActor
struct PictureTests {
    /// Prints the picture to be pasted with `DEPIN_PRINT_PICTURE=1`.
    @Test func `its README shows the picture of the example app`() throws {
        let assembler = Assembler([NetworkAssembly(), FeedAssembly()])
        let report = try assembler.validate()
        #expect(report.problems.isEmpty)
        let picture = report.graph.mermaid
        if ProcessInfo.processInfo.environment["DEPIN_PRINT_PICTURE"] != nil {
            print(picture)
        }
        let readme = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/QuickStart/README.md").standardized
        let text = try String(contentsOf: readme, encoding: .utf8)
        #expect(text.contains("```mermaid\n\(picture)```\n"))
    }
}
