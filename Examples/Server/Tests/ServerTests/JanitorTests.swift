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
            try await Janitor(container: container, configuration: aged(.seconds(3600))).clean()
            #expect(try await ada.get([TodoList].self, "/lists").count == 2)
            try await Janitor(container: container, configuration: aged(.seconds(-60))).clean()
            #expect(try await ada.get([TodoList].self, "/lists").map(\.title) == ["used"])
        }
    }

    private func aged(_ age: Duration) -> Configuration {
        Configuration(database: "", emptyFor: age)
    }
}
