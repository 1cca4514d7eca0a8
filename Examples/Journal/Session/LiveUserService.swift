import JournalDomain

struct LiveUserService: UserService {
    let user: User.ID
    let entries: any EntryStore
    let drafts: any EntryStore

    func entries() async throws -> [Entry] {
        // The sort is stable: the entries of one day stay in the order in which they were written.
        try await entries.entries(of: user).sorted { $0.day < $1.day }
    }

    func drafts() async throws -> [Entry] {
        try await drafts.entries(of: user)
    }

    func write(_ text: String, on day: Day) async throws {
        try await entries.add(Entry(day: day, text: text), of: user)
    }

    func keepDraft(_ text: String, on day: Day) async throws {
        try await drafts.add(Entry(day: day, text: text), of: user)
    }

    func finishDraft(_ number: Int) async throws -> Entry {
        let all = try await drafts()
        guard all.indices.contains(number - 1) else {
            throw JournalError.noDraft(number: number, count: all.count)
        }
        let draft = all[number - 1]
        // In this order: a crash in between leaves it in both places, never in none, and to finish
        // it again adds nothing.
        try await entries.add(draft, of: user)
        try await drafts.remove(draft.id, of: user)
        return draft
    }
}
