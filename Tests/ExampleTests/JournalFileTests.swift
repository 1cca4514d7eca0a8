import Foundation
import JournalDomain
import JournalStorage
import Testing

/// The store of the example, on real files: whatever happens to them, no entry is lost.
struct JournalFileTests {
    private let folder: TemporaryFolder
    private let terminal = MemoryTerminal()
    private let ada: User.ID

    init() throws {
        folder = try TemporaryFolder()
        ada = try User.ID("ada")
    }

    private var store: FileStore { FileStore(folder: folder.url, terminal: terminal) }
    private var file: URL { folder.url.appendingPathComponent("ada.jsonl") }

    private func entry(_ text: String) throws -> Entry {
        Entry(day: try #require(Day("2026-01-02")), text: text)
    }

    @Test func `another store finds what was written`() async throws {
        let texts = ["one", "two lines\nin one", "\"quotes\" and ümläute", "", "🐈"]
        for text in texts {
            try await store.add(try entry(text), of: ada)
        }
        #expect(try await store.entries(of: ada).map(\.text) == texts)
        #expect(try await store.entries(of: try User.ID("bob")).isEmpty)
    }

    @Test func `to list makes no files`() async throws {
        #expect(try await store.entries(of: ada).isEmpty)
        #expect(try folder.files == [])
    }

    @Test func `an entry is added once and removed once`() async throws {
        let one = try entry("one")
        try await store.add(one, of: ada)
        try await store.add(one, of: ada)
        try await store.add(try entry("two"), of: ada)
        #expect(try await store.entries(of: ada).map(\.text) == ["one", "two"])
        try await store.remove(one.id, of: ada)
        try await store.remove(one.id, of: ada)
        #expect(try await store.entries(of: ada).map(\.text) == ["two"])
    }

    @Test func `stores that write at once lose nothing`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                let (store, entry) = (store, try entry("\(number)"))
                group.addTask { try await store.add(entry, of: ada) }
            }
            try await group.waitForAll()
        }
        let texts = try await store.entries(of: ada).map(\.text)
        #expect(Set(texts) == Set((0..<40).map(String.init)))
    }

    @Test(arguments: ["not JSON", "{\"day\":\"2026-02-30\"}", "\u{0}\u{1}", "[]"])
    func `what cannot be read is set aside, the rest goes on`(line: String) async throws {
        try await store.add(try entry("before"), of: ada)
        let broken = try Data(contentsOf: file) + Data("\(line)\n".utf8)
        try broken.write(to: file)

        try await store.add(try entry("after"), of: ada)

        #expect(try await store.entries(of: ada).map(\.text) == ["before", "after"])
        #expect(try Data(contentsOf: file.appendingPathExtension("broken-1")) == broken)
        let warning = try #require(terminal.takeLines().first)
        #expect(warning.hasPrefix("! a line of \(file.path) cannot be read"))
        #expect(warning.hasSuffix("ada.jsonl.broken-1"))
    }

    @Test func `each broken file is set aside under a name of its own`() async throws {
        for _ in 0..<3 {
            try Data([0xFF, 0x0A, 0xFE]).write(to: file)
            #expect(try await store.entries(of: ada).isEmpty)
        }
        let names = ["", ".broken-1", ".broken-2", ".broken-3", ".lock"]
        #expect(try folder.files == names.map { "ada.jsonl\($0)" })
    }

    @Test func `a folder in the place of the file is an error and stays`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        await #expect(throws: JournalError.self) { try await store.entries(of: ada) }
        await #expect(throws: JournalError.self) { try await store.add(try entry("x"), of: ada) }
        #expect(try folder.files == ["ada.jsonl", "ada.jsonl.lock"])
    }
}

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("journal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
