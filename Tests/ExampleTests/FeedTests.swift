import Depin
import Testing

@testable import QuickStart

/// What an app's own tests look like: the app's assembly over a network that is made up.
@MainActor
@Suite struct FeedTests {
    @Test func `the header shows the story with the most likes`() {
        let assembler = Assembler([FakeNetworkAssembly(), FeedAssembly()])
        withSpace(\.dependenciesAssembler, assembler) {
            #expect(FeedHeader().text == "top story: Two")
        }
    }

    @Test func `a header keeps what it was made with`() {
        let assembler = Assembler([FakeNetworkAssembly(), FeedAssembly()])
        let header = withSpace(\.dependenciesAssembler, assembler) { FeedHeader() }
        #expect(header.text == "top story: Two")
    }

    @Test func `replaces one service and keeps the others`() {
        let assembler = Assembler([FakeNetworkAssembly(), FeedAssembly()])
        withSpace(\.dependenciesAssembler, assembler) {
            withSpace(
                overriding: { $0.register(API.self) { OfflineAPI() } },
                operation: { #expect(FeedHeader().text == "top story: You are offline") }
            )
            #expect(FeedHeader().text == "top story: Two")
        }
    }
}

struct FakeNetworkAssembly: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { FakeAPI() }
        container.register(Database.self) { MemoryDatabase() }
    }
}

struct FakeAPI: API {
    func stories() -> [Story] {
        [Story(title: "One", likes: 1), Story(title: "Two", likes: 2)]
    }
}
