import Foundation
import JournalDomain

/// Writes entries as they stand in their files: one a line, in JSON.
struct LineExporter: Exporter {
    func lines(of entries: [Entry]) throws -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try entries.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    }
}
