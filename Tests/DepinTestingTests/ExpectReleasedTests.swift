import Depin
import DepinTesting
import Foundation
import Testing

private final class Node {
    var next: Node?
}

private struct Failure: Error {}

@Suite(.assemblies { AppAssembly() })
struct `Expecting a release` {
    @Test
    func `is content when nothing lives on`() {
        expectReleased {
            let screen = Screen()
            _ = screen.feed
            return screen
        }
        expectReleased { 7 }
        expectReleased {}
    }

    @Test
    func `finds a cycle, at the line of the call`() async throws {
        let line = #line + 2
        let found = try await issues {
            expectReleased {
                let node = Node()
                node.next = node
                return node
            }
        }
        #expect(found.map(\.text) == ["Node is kept alive after the flow that made it"])
        #expect(found.first?.sourceLocation?.line == line)
    }

    @Test
    func `says the comment too`() async throws {
        let found = try await issues {
            let node = Node()
            expectReleased("the list") { node }
        }
        #expect(found.map(\.text) == ["the list: Node is kept alive after the flow that made it"])
    }

    @Test
    func `looks into tuples, collections and optionals, at each object once`() async throws {
        let found = try await issues {
            let node = Node()
            expectReleased { (Optional(node), [node, Node()], ["x": Node()], Node()) }
        }
        #expect(found.count == 1)
    }

    @Test
    func `finds what a singleton keeps`() async throws {
        let container = SpaceValues.current.dependenciesContainer
        let found = try await issues {
            expectReleased { container ~> Feed.self }
        }
        #expect(found.map(\.text) == ["Feed is kept alive after the flow that made it"])
    }

    @Test
    func `waits for a task that is about to end`() async {
        await expectReleased {
            let screen = Screen()
            Task.detached {
                try? await Task.sleep(for: .milliseconds(50))
                withExtendedLifetime(screen) {}
            }
            await Task.yield()
            return screen
        }
    }

    @Test
    func `does not wait for ever`() async throws {
        let line = #line + 3
        let found = try await issues {
            let node = Node()
            await expectReleased(within: .milliseconds(20)) {
                await Task.yield()
                return node
            }
        }
        #expect(found.map(\.text) == ["Node is kept alive after the flow that made it"])
        #expect(found.first?.sourceLocation?.line == line)
    }

    @Test
    @MainActor
    func `runs on the caller's actor`() async {
        await expectReleased {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            return Node()
        }
    }

    @Test
    func `passes on what the flow throws`() async {
        #expect(throws: Failure.self) { try expectReleased { throw Failure() } }
        await #expect(throws: Failure.self) {
            try await expectReleased {
                await Task.yield()
                throw Failure()
            }
        }
    }
}
