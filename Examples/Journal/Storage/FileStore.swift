import Foundation
import JournalDomain

/// Keeps each user's entries in a file of their own, one entry a line.
///
/// No entry is ever lost. A change writes a new file and puts it in the old one's place in one step, so
/// a crash leaves the one or the other. A lock on the side keeps two programs from working on the same
/// file. A file with lines that cannot be read is set aside whole, and goes on without these lines.
package actor FileStore: EntryStore {
    private let folder: URL
    private let terminal: any Terminal

    package init(folder: URL, terminal: any Terminal) {
        self.folder = folder
        self.terminal = terminal
    }

    package func entries(of user: User.ID) throws -> [Entry] {
        guard try isThere(file(of: user)) else { return [] }
        return try locked(user) { try read(user) }
    }

    package func add(_ entry: Entry, of user: User.ID) throws {
        try locked(user) {
            let entries = try read(user)
            guard !entries.contains(where: { $0.id == entry.id }) else { return }
            try write(entries + [entry], of: user)
        }
    }

    package func remove(_ id: Entry.ID, of user: User.ID) throws {
        try locked(user) {
            let entries = try read(user)
            guard entries.contains(where: { $0.id == id }) else { return }
            try write(entries.filter { $0.id != id }, of: user)
        }
    }

    // MARK: - Files

    private func file(of user: User.ID) -> URL {
        folder.appendingPathComponent("\(user).jsonl")
    }

    /// False only where there is none: a file that cannot be looked for is not an empty one.
    private func isThere(_ file: URL) throws -> Bool {
        if access(file.path, F_OK) == 0 { return true }
        guard errno == ENOENT else { throw failure(file.path) }
        return false
    }

    private func read(_ user: User.ID) throws -> [Entry] {
        let file = file(of: user)
        guard try isThere(file) else { return [] }
        let lines = try explaining(file) { try Data(contentsOf: file) }.split(separator: 0x0A)
        let decoder = JSONDecoder()
        let entries = lines.map { try? decoder.decode(Entry.self, from: $0) }
        let readable = entries.compactMap { $0 }
        if readable.count < entries.count {
            try setAside(file, lineCount: entries.count - readable.count)
            try write(readable, of: user)
        }
        return readable
    }

    private func write(_ entries: [Entry], of user: User.ID) throws {
        let lines = try LineExporter().lines(of: entries).map { $0 + "\n" }
        let file = file(of: user)
        try explaining(file) { try Data(lines.joined().utf8).write(to: file, options: .atomic) }
    }

    /// Makes a copy, rather than moving the file, so that it is there whatever happens next.
    private func setAside(_ file: URL, lineCount: Int) throws {
        var number = 1
        var copy: URL { file.appendingPathExtension("broken-\(number)") }
        while FileManager.default.fileExists(atPath: copy.path) {
            number += 1
        }
        try explaining(copy) { try FileManager.default.copyItem(at: file, to: copy) }
        let lines = lineCount == 1 ? "a line" : "\(lineCount) lines"
        terminal.warn("\(lines) of \(file.path) cannot be read; the file as it was is \(copy.path)")
    }

    // MARK: - Locking

    /// Runs a body while no other program, nor another store, works on the user's file.
    private func locked<Result>(_ user: User.ID, _ body: () throws -> Result) throws -> Result {
        try explaining(folder) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let lock = file(of: user).appendingPathExtension("lock").path
        let descriptor = open(lock, O_CREAT | O_RDWR, 0o644)
        guard descriptor >= 0 else { throw failure(lock) }
        defer { close(descriptor) }  // which unlocks
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(lock) }
        }
        return try body()
    }

    private func failure(_ path: String) -> JournalError {
        .file(path: path, problem: String(cString: strerror(errno)))
    }

    private func explaining<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw JournalError.file(path: file.path, problem: words(for: error))
        }
    }

    /// What the system says of an error, where Foundation's own words may be a mere number.
    private func words(for error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) }
            ?? error.localizedDescription
    }
}
