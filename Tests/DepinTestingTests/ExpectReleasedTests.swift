import Depin
import DepinTesting
import Foundation
import Testing

private final class Node {
    var next: Node?
}

private final class Holder: Sendable {
    init(_ held: any Sendable) { self.held = held }
    let held: any Sendable
}

private struct Registering: Assembly {
    let register: @Sendable (Container) -> Void
    func assemble(container: Container) { register(container) }
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
        let line = #line + 3
        let found = try await issues {
            weak var kept: Node?
            expectReleased {
                let node = Node()
                node.next = node
                kept = node
                return node
            }
            kept?.next = nil
        }
        #expect(found.map(\.text) == ["Node is still alive after the flow that made it"])
        #expect(found.first?.sourceLocation?.line == line)
    }

    @Test
    func `says the comment too`() async throws {
        let found = try await issues {
            let node = Node()
            expectReleased("the list") { node }
        }
        #expect(found.map(\.text) == ["the list: Node is still alive after the flow that made it"])
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
        #expect(found.map(\.text) == ["Feed is still alive after the flow that made it"])
    }

    @Test
    func `names the instance that holds its container, registered or made for arguments`()
        async throws
    {
        let found = try await issues {
            expectReleased {
                let container = Container()
                container.register(Holder.self, instance: Holder(container))
                return container
            }
            expectReleased {
                let container = Container()
                container.register(Holder.self) { (r, _: Int) in Holder(r ~> Container.self) }
                    .inObjectScope(.container.perArguments)
                withExtendedLifetime(container ~> (Holder.self, argument: 1)) {}
                return container
            }
        }
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.text.contains("kept by an instance of Holder") })
    }

    @Test
    func `names the factory that captures the container it is registered on`() async throws {
        let line = #line + 4
        let found = try await issues {
            expectReleased {
                let container = Container()
                container.register(Feed.self) { container ~> Feed.self }
                container.register(Screen.self) { Screen() }
                return container
            }
        }
        #expect(
            found.map(\.text) == [
                """
                Container is still alive after the flow that made it
                  captured by the factory or a callback of Feed, registered at \
                DepinTestingTests/ExpectReleasedTests.swift:\(line)
                  fix: use the resolver that the factory receives, or capture the container weakly
                """
            ]
        )
    }

    @Test
    func `names the instance that holds the container of an assembler`() async throws {
        let line = #line + 6
        let found = try await issues {
            expectReleased {
                let assembler = Assembler()
                assembler.apply(
                    assembly: Registering { container in
                        container.register(Holder.self) { r in Holder(r ~> Container.self) }
                            .inObjectScope(.container)
                    }
                )
                let holder = assembler.resolver ~> Holder.self
                withExtendedLifetime(holder) {}
                return assembler
            }
        }
        #expect(
            found.map(\.text) == [
                """
                Container is still alive after the flow that made it
                  kept by an instance of Holder, registered at \
                DepinTestingTests/ExpectReleasedTests.swift:\(line)
                  fix: have it hold the container weakly, or the resolver that its factory receives
                """
            ]
        )
    }

    @Test(arguments: [false, true])
    func `names the factory that captures a view of its container`(isSerializing: Bool) async throws
    {
        let found = try await issues {
            expectReleased {
                let container = Container()
                let view = container.synchronize(serializingFactories: isSerializing)
                container.register(Screen.self) { Screen() }
                container.register(Feed.self) { view ~> Feed.self }
                return container
            }
        }
        #expect(found.count == 1)
        #expect(
            found.allSatisfy { $0.text.contains("captured by the factory or a callback of Feed") }
        )
    }

    @Test
    func `names the registered instance that has a provider of its container`() async throws {
        let found = try await issues {
            expectReleased {
                let container = Container()
                container.register(Screen.self) { Screen() }
                let provider = container ~> Provider<Screen>.self
                container.register(Holder.self, instance: Holder(provider))
                return (container, Assembler(container: container))
            }
        }
        #expect(found.map(\.text).filter { $0.hasPrefix("Container") }.count == 1)
        #expect(found.contains { $0.text.contains("kept by an instance of Holder") })
    }

    @Test
    func `finds the container that a provider outside keeps open`() async throws {
        let found = try await issues {
            var providers: [Provider<Screen>] = []
            expectReleased {
                let container = Container()
                container.register(Screen.self) { Screen() }
                providers.append(container ~> Provider<Screen>.self)
                return container
            }
            withExtendedLifetime(providers) {}
        }
        #expect(found.map(\.text) == ["Container is still alive after the flow that made it"])
    }

    @Test
    func `is content with a container whose factories use their resolvers`() {
        expectReleased {
            let container = Container()
            container.register(Screen.self) { Screen() }.inObjectScope(.container)
            let screen = container ~> Screen.self
            withExtendedLifetime(screen) {}
            return Assembler(container: container)
        }
    }

    @Test
    func `waits for a task that is about to end`() async {
        await expectReleased(within: .seconds(60)) {
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
        #expect(found.map(\.text) == ["Node is still alive after the flow that made it"])
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

    @Suite(.assemblies { AppAssembly() })
    struct `where the flow returns nothing` {
        private final class Model: Sendable {
            let api: any API
            /// Leaves a singleton with one more thing to keep.
            init(api: any API, hub: Hub) {
                self.api = api
                if hub.keeps { hub.keep(self) }
            }
        }

        private final class Hub: @unchecked Sendable {  // The tests use one thread at a time.
            let keeps: Bool
            private var kept: [AnyObject] = []

            init(keeps: Bool) { self.keeps = keeps }

            func keep(_ object: AnyObject) { kept.append(object) }
        }

        private static func space(keeps: Bool) -> SpaceTrait {
            .overriding { container in
                container.register(Hub.self) { Hub(keeps: keeps) }.inObjectScope(.container)
                container.register(Model.self) { resolver in
                    Model(api: resolver ~> API.self, hub: resolver ~> Hub.self)
                }
            }
        }

        private static let modelLine = #line - 6

        private static func flow() {
            _ = Injected<Model>().wrappedValue
        }

        @Test
        func `is content when its services are gone`() async throws {
            let found = try await issues(with: Self.space(keeps: false)) {
                expectReleased { Self.flow() }
                await expectReleased(within: .zero) {
                    Self.flow()
                    await Task.yield()
                }
            }
            #expect(found.isEmpty)
        }

        @Test
        func `finds a service that something keeps`() async throws {
            let line = #line + 2
            let found = try await issues(with: Self.space(keeps: true)) {
                expectReleased { Self.flow() }
                await expectReleased(within: .zero) {
                    Self.flow()
                    await Task.yield()
                }
            }
            let place = "DepinTestingTests/ExpectReleasedTests.swift:\(Self.modelLine)"
            #expect(
                found.map(\.text)
                    == Array(
                        repeating: """
                            Model is still alive after the flow that made it
                              registered at \(place)
                            """,
                        count: 2
                    )
            )
            #expect(found.first?.sourceLocation?.line == line)
        }

        @Test
        func `finds one that another thread had built for an object of the flow`() async throws {
            let found = try await issues(with: Self.space(keeps: true)) {
                await expectReleased(within: .zero) {
                    let model = Injected<Model>()
                    await Task.detached { _ = model.wrappedValue }.value
                }
            }
            #expect(found.count == 1)
        }

        @Test
        func `finds one of a nested override`() async throws {
            let found = try await issues(with: Self.space(keeps: true)) {
                var hub: Hub?
                expectReleased {
                    withSpace(
                        overriding: { $0.register(API.self) { FakeAPI() } },
                        operation: {
                            hub = Injected<Hub>().wrappedValue
                            Self.flow()
                        }
                    )
                }
                withExtendedLifetime(hub) {}
            }
            #expect(found.count == 1)
        }

        @Test
        func `counts neither what is kept by its scope nor what was built for that`() {
            // Feed is a singleton and holds its own API; both of them stay.
            withSpace(
                overriding: { container in
                    container.register(Model.self) { resolver in
                        Model(api: resolver ~> API.self, hub: Hub(keeps: false))
                    }
                    container.register(Screen.self) { _ in Screen() }
                    container.register(Array<Model>.self) { resolver in [resolver ~> Model.self] }
                        .inObjectScope(.container)
                },
                operation: {
                    expectReleased {
                        _ = Injected<Feed>().wrappedValue.marker
                        _ = Injected<[Model]>().wrappedValue
                    }
                }
            )
        }

        @Test
        func `counts nothing that an object from before keeps`() async throws {
            let found = try await issues(with: Self.space(keeps: false)) {
                let before = Injected<Model>()
                expectReleased { _ = before.wrappedValue }
                withExtendedLifetime(before) {}
            }
            #expect(found.isEmpty)
        }

        @Test
        func `counts nothing that another test has built meanwhile`() async throws {
            let found = try await issues(with: Self.space(keeps: true)) {
                let container = SpaceValues.current.dependenciesContainer
                await expectReleased(within: .zero) {
                    await Task.detached { _ = try? container.require(Model.self) }.value
                }
            }
            #expect(found.isEmpty)
        }

        @Test
        func `looks at the container no longer than the flow takes`() {
            let engine = SpaceValues.current.dependenciesContainer.engine
            let before = engine.observers.count
            expectReleased { #expect(engine.observers.count == before + 1) }
            #expect(engine.observers.count == before)
        }

        @Test
        func `leaves the container as it was`() {
            let container = SpaceValues.current.dependenciesContainer
            container.register(String.self) { "x" }.initCompleted { _, _ in }
            let before = container.description
            expectReleased {
                #expect(container.description == before)
                withSpace(overriding: { _ in }, operation: {})
            }
            #expect(container.description == before)
        }
    }
}
