import Depin
import DepinTesting
import Foundation
import JournalDomain
import JournalSession
import JournalStorage
import JournalSystem
import Testing

@testable import Journal

/// The program with stores in memory in the place of files, and a terminal that remembers.
///
/// Each test has a space of its own, so they run side by side.
@MainActor
@Suite(
    .assemblies {
        AppAssembly(folder: URL(fileURLWithPath: "/dev/null"))
        FakeSystemAssembly()
        MemoryAssembly()
    }
)
struct JournalSessionTests {
    @Space(\.dependenciesAssembler) private var assembler
    @Space(\.dependenciesContainer) private var container
    private let program = Program()

    private func run(_ arguments: String...) async throws -> [String] {
        let terminal = try #require(container.resolve(Terminal.self) as? MemoryTerminal)
        let status = await program.run(try Command(arguments))
        let lines = terminal.takeLines()
        #expect(status == (lines.contains { $0.hasPrefix("!") } ? 1 : 0))
        return lines
    }

    @Test func `everything that is needed is registered`() throws {
        let names = ["", "Domain", "Markdown", "Session", "Storage", "System"]
        try container.validate(
            .init(
                // A session's container has it, from log-in to log-out.
                providing: [(any UserService).self],
                injected: InjectedProperty.ofThisProgram(modules: names.map { "Journal" + $0 })
            )
        )
    }

    @Test func `each module has what it requires, or its replacement`() {
        let tree = """
            AppAssembly
              FakeSystemAssembly in place of SystemAssembly
              MemoryAssembly in place of StorageAssembly
              SessionAssembly
              MarkdownAssembly
            FakeSystemAssembly
            MemoryAssembly
            """
        #expect(assembler.appliedAssemblies.description == tree)
    }

    @Test func `lists entries in the order of their days`() async throws {
        _ = try await run("add", "--date", "2026-11-21", "second")
        _ = try await run("add", "--date", "2026-11-20", "first")
        _ = try await run("add", "--date", "2026-11-21", "third")
        let lines = ["2026-11-20  first", "2026-11-21  second", "2026-11-21  third"]
        #expect(try await run("list") == lines)
    }

    @Test func `writes for today where no date is given`() async throws {
        #expect(try await run("add", "now") == ["written"])
        #expect(try await run("list") == ["2026-01-02  now"])
    }

    @Test func `makes an entry of a draft`() async throws {
        _ = try await run("draft", "one")
        _ = try await run("draft", "two")
        #expect(try await run("drafts") == ["1. 2026-01-02  one", "2. 2026-01-02  two"])
        #expect(try await run("finish", "1") == ["written: 2026-01-02  one"])
        #expect(try await run("drafts") == ["1. 2026-01-02  two"])
        #expect(try await run("list") == ["2026-01-02  one"])
    }

    @Test func `says which drafts there are`() async throws {
        #expect(try await run("finish", "1") == ["! there is no draft 1; there are no drafts"])
        _ = try await run("draft", "one")
        let answer = "! there is no draft 2; they are numbered from 1 to 1"
        #expect(try await run("finish", "2") == [answer])
        #expect(try await run("drafts").count == 1)
    }

    @Test func `keeps users apart, whatever the case of their names`() async throws {
        _ = try await run("--user", "ada", "add", "mine")
        #expect(try await run("--user", "bob", "list") == ["no entries yet"])
        #expect(try await run("--user", "Ada", "list") == ["2026-01-02  mine"])
    }

    @Test(arguments: ["../ada", "", "a b", "é"])
    func `refuses what is no user name`(name: String) async throws {
        #expect(try await run("--user", name, "list").first?.hasPrefix("! '\(name)' is no") == true)
    }

    @Test func `shows further lines below the first`() async throws {
        _ = try await run("add", "one\ntwo")
        #expect(try await run("list") == ["2026-01-02  one\n            two"])
    }

    @Test func `exports in the formats that modules contribute`() async throws {
        #expect(try await run("export", "markdown") == [])
        _ = try await run("add", "one")
        _ = try await run("add", "two")
        _ = try await run("add", "--date", "2026-01-03", "three")
        let lines = ["## 2026-01-02", "", "one", "", "two", "", "## 2026-01-03", "", "three"]
        #expect(try await run("export", "markdown") == lines)
        #expect(try await run("export", "pdf") == ["! 'pdf' is not a format: use markdown"])
    }

    @Test func `says what the store has to say`() async throws {
        container.register(EntryStore.self, name: StoreName.entries) { BrokenStore() }
        #expect(try await run("list") == ["! disk: on fire"])
    }

    @Test func `shows help without logging in`() async throws {
        #expect(try await run("--help") == [Command.usage])
        #expect((container ~> SessionCoordinator.self).session == nil)
    }

    // MARK: - The session

    @Test func `a session has the service of who is logged in`() throws {
        let sessions = container ~> SessionCoordinator.self
        let ada = sessions.logIn(as: try User.ID("ada"))
        #expect(ada.resolver.resolve(UserService.self)?.user == (try User.ID("ada")))
        #expect(container.resolve(UserService.self) == nil, "outside a session there is none")
    }

    @Test func `two sessions share the stores`() throws {
        let sessions = container ~> SessionCoordinator.self
        let ada = sessions.logIn(as: try User.ID("ada"))
        let bob = sessions.logIn(as: try User.ID("bob"))
        func store(_ session: Session, _ name: StoreName) -> MemoryStore? {
            session.resolver.resolve(EntryStore.self, name: name) as? MemoryStore
        }
        #expect(store(ada, .entries) === store(bob, .entries))
        #expect(store(ada, .entries) !== store(ada, .drafts))
    }

    @Test func `nothing of a session is left after log-out`() throws {
        let sessions = container ~> SessionCoordinator.self
        try expectReleased {
            let session = sessions.logIn(as: try User.ID("ada"))
            let presenter = session.resolver ~> JournalPresenter.self
            sessions.logOut()
            return (session, presenter, session.resolver as? Container)
        }
    }
}

// MARK: - What takes the place of the real services

private struct FakeSystemAssembly: Assembly {
    var replaces: [any Assembly.Type] { [SystemAssembly.self] }

    func assemble(container: Container) {
        container.register(Terminal.self) { MemoryTerminal() }.inObjectScope(.container)
        container.register(Today.self) { FixedToday() }
    }
}

private struct MemoryAssembly: Assembly {
    var replaces: [any Assembly.Type] { [StorageAssembly.self] }

    func assemble(container: Container) {
        for name in [StoreName.entries, .drafts] {
            container.register(EntryStore.self, name: name) { MemoryStore() }
                .inObjectScope(.container)
        }
    }
}

private struct FixedToday: Today {
    var day: Day { Day("2026-01-02").unsafelyUnwrapped }
}

/// Remembers what was shown; a warning begins with an exclamation mark.
final class MemoryTerminal: Terminal, @unchecked Sendable {  // `lines` is guarded by `lock`.
    private let lock = NSLock()
    private var lines: [String] = []

    func show(_ line: String) {
        lock.withLock { lines.append(line) }
    }

    func warn(_ line: String) {
        show("! \(line)")
    }

    func takeLines() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }
}

private actor MemoryStore: EntryStore {
    private var all: [User.ID: [Entry]] = [:]

    func entries(of user: User.ID) -> [Entry] { all[user] ?? [] }
    func add(_ entry: Entry, of user: User.ID) { all[user, default: []].append(entry) }
    func remove(_ id: Entry.ID, of user: User.ID) { all[user]?.removeAll { $0.id == id } }
}

private struct BrokenStore: EntryStore {
    func entries(of user: User.ID) throws -> [Entry] {
        throw JournalError.file(path: "disk", problem: "on fire")
    }
    func add(_ entry: Entry, of user: User.ID) {}
    func remove(_ id: Entry.ID, of user: User.ID) {}
}
