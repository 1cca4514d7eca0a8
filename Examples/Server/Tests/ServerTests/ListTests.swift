import Foundation
import HummingbirdTesting
import Lists
import Testing
import Web

struct ListTests {
    @Test func `a list is made, filled, done and exported`() async throws {
        try await running { client, _ in
            let ada = try await Visitor("Ada", at: client)
            let list = try await ada.post(TodoList.self, "/lists", title: "Groceries")
            let path = "/lists/\(list.id)"
            let bread = try await ada.post(Item.self, "\(path)/items", title: "bread")
            _ = try await ada.post(Item.self, "\(path)/items", title: "tea")
            let done = try await ada.send(.put, "\(path)/items/\(bread.id)", #"{"isDone":true}"#)
            #expect(done.status == .ok)
            #expect(try await ada.get([TodoList].self, "/lists").map(\.title) == ["Groceries"])
            let items = try await ada.get(ListContents.self, path).items
            #expect(items.map(\.title) == ["bread", "tea"])
            #expect(items.map(\.isDone) == [true, false])
            let export = try await ada.send(.get, "\(path)/export")
            #expect(String(buffer: export.body) == "x bread\n- tea\n")
        }
    }

    @Test func `a list is seen by its members only`() async throws {
        try await running { client, _ in
            let ada = try await Visitor("Ada", at: client)
            let bob = try await Visitor("Bob", at: client)
            let list = try await ada.post(TodoList.self, "/lists", title: "Groceries")
            #expect(try await bob.send(.get, "/lists/\(list.id)").status == .notFound)
            let member = "/lists/\(list.id)/members/\(bob.account.user.id)"
            #expect(try await bob.send(.put, member).status == .notFound)
            #expect(try await ada.send(.put, member).status == .noContent)
            #expect(try await ada.send(.put, member).status == .noContent)
            #expect(try await bob.get([TodoList].self, "/lists").map(\.id) == [list.id])
        }
    }

    @Test func `an export of many pages is whole`() async throws {
        try await running { client, _ in
            let ada = try await Visitor("Ada", at: client)
            let list = try await ada.post(TodoList.self, "/lists", title: "Long")
            for number in 1...250 {
                _ = try await ada.post(Item.self, "/lists/\(list.id)/items", title: "\(number)")
            }
            let export = try await ada.send(.get, "/lists/\(list.id)/export")
            let lines = String(buffer: export.body).split(separator: "\n")
            #expect(lines == (1...250).map { "- \($0)" })
        }
    }

    @Test func `what is asked in a wrong way is refused`() async throws {
        try await running { client, _ in
            let ada = try await Visitor("Ada", at: client)
            let list = try await ada.post(TodoList.self, "/lists", title: "Groceries")
            #expect(try await client.execute(uri: "/lists", method: .get).status == .unauthorized)
            #expect(try await ada.send(.get, "/lists/nonsense").status == .badRequest)
            #expect(try await ada.send(.get, "/lists/\(UUID())").status == .notFound)
            #expect(try await ada.send(.post, "/lists", "{}").status == .badRequest)
            let item = "/lists/\(list.id)/items/\(UUID())"
            #expect(try await ada.send(.put, item, #"{"isDone":true}"#).status == .notFound)
            let member = "/lists/\(list.id)/members/\(UUID())"
            #expect(try await ada.send(.put, member).status == .notFound)
        }
    }
}
