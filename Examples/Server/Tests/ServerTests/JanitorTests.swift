import Depin
import Foundation
import HummingbirdTesting
import Lists
import ServiceLifecycle
import Testing

@testable import Server

struct JanitorTests {
    @Test func `the janitor removes what is old and empty`() async throws {
        try await running { client, container in
            let ada = try await Visitor("Ada", at: client)
            _ = try await ada.post(TodoList.self, "/lists", title: "empty")
            let used = try await ada.post(TodoList.self, "/lists", title: "used")
            _ = try await ada.post(Item.self, "/lists/\(used.id)/items", title: "bread")
            try await janitor(of: container, emptyFor: .seconds(3600)).clean()
            #expect(try await ada.get([TodoList].self, "/lists").count == 2)
            try await janitor(of: container, emptyFor: .seconds(-60)).clean()
            #expect(try await ada.get([TodoList].self, "/lists").map(\.title) == ["used"])
        }
    }

    private func janitor(of container: Container, emptyFor age: Duration) -> Janitor {
        Janitor(
            lists: container(),
            database: container(name: Databases.primary),
            logger: container(),
            configuration: Configuration(database: "", emptyFor: age)
        )
    }
}
