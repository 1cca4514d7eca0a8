import Depin
import DepinTesting
import Foundation
import Testing

private struct Offline: Error {}

/// A service whose every kind of registration is looked at below.
private final class Tool: Sendable {}

private func resolveTool() {
    _ = (SpaceValues.current.dependenciesContainer ~> Tool.self)
}

@Suite(.assemblies { AppAssembly() })
struct `A strict override` {
    @Test(.overriding(strict: true) { $0.register(API.self) { FakeAPI() } })
    func `that is used is good`() {
        #expect(Screen().feed.api.name == "fake")
    }

    @Test(.overriding(strict: true) { $0.register(API.self, asyncFactory: { FakeAPI() }) })
    func `that takes time and is awaited is good`() async throws {
        let container = SpaceValues.current.dependenciesContainer
        #expect(try await container.requireAsync(API.self).name == "fake")
    }

    @Test
    func `that is not used fails the test where it stands`() async throws {
        let line = UInt(#line + 2)
        let found = try await issues(
            with: .overriding(strict: true) { $0.register(API.self) { FakeAPI() } }
        ) {
            _ = Screen().marker
        }
        #expect(found.count == 1)
        #expect(
            found.first?.text == """
                the override of API at DepinTestingTests/StrictnessTests.swift:\(line) was never used
                  fix: remove it, or make the test use the service
                """
        )
        #expect(found.first?.sourceLocation == Test.current?.sourceLocation)
    }

    @Test
    func `is looked at one by one`() async throws {
        let found = try await issues(
            with: .overriding(strict: true) { container in
                container.register(API.self) { FakeAPI() }
                container.register(API.self, name: "second") { FakeAPI() }
                container.register(Tool.self) { (_: any Resolver, _: Int) in Tool() }
                container.register(Tool.self, name: "ready", instance: Tool())
            }
        ) {
            _ = (SpaceValues.current.dependenciesContainer ~> API.self)
        }
        #expect(
            found.map { $0.text.prefix { $0 != "@" }.components(separatedBy: " at ")[0] } == [
                "the override of API named \"second\"",
                "the override of Tool with (Int)",
                "the override of Tool named \"ready\"",
            ]
        )
    }

    static let kinds: [@Sendable (Container) -> Void] = [
        { $0.register(Tool.self) { Tool() } },
        { $0.register(Tool.self, instance: Tool()) },
        { $0.register(Tool.self) { Tool() }.inObjectScope(.container) },
        { $0.register(Tool.self) { Tool() }.inObjectScope(.weak) },
        { $0.autoregister(Tool.self, initializer: Tool.init) },
        { $0.register(AnyObject.self) { Tool() }.implements(Tool.self) },
        { $0.register(Tool.self) { Tool() }.asDefault() },
    ]

    @Test(arguments: kinds.indices)
    func `knows the use of every kind of registration`(index: Int) async throws {
        let trait = SpaceTrait.overriding(strict: true, Self.kinds[index])
        #expect(try await issues(with: trait) { resolveTool() }.isEmpty)
        #expect(try await issues(with: trait) {}.count == 1)
    }

    @Test
    func `counts a use with arguments, in a nested override and on another thread`() async throws {
        let found = try await issues(
            with: .overriding(strict: true) { container in
                container.register(Tool.self) { (_: any Resolver, _: Int) in Tool() }
                container.register(API.self) { FakeAPI() }
            }
        ) {
            withSpace(overriding: { $0.register(String.self) { "inner" } }) {
                let container = SpaceValues.current.dependenciesContainer
                _ = (container ~> (Tool.self, argument: 1))
            }
            let screen = Screen()
            await Task.detached { _ = screen.feed }.value
        }
        #expect(found.isEmpty)
    }

    @Test
    func `knows the use of a contribution`() async throws {
        let traits = [
            SpaceTrait.overriding(strict: true) { $0.contribute(Tool.self) { Tool() } },
            SpaceTrait.overriding(strict: true) { $0.contribute(Tool.self, instance: Tool()) },
        ]
        for trait in traits {
            let container = { @Sendable in SpaceValues.current.dependenciesContainer }
            let none = try await issues(with: trait) {
                _ = container().resolve([Tool].self)
            }
            #expect(none.isEmpty)
            let found = try await issues(with: trait) {
                _ = container().resolve(Tool.self)
            }
            #expect(found.map { $0.text.hasPrefix("the override of contributed Tool") } == [true])
        }
    }

    @Test
    func `knows the use of a decorator`() async throws {
        let kinds: [@Sendable (Container) -> Void] = [
            { $0.decorate(API.self) { _, live in live } },
            { $0.decorate(API.self) { _, _ in throw Offline() } },
        ]
        for kind in kinds {
            let trait = SpaceTrait.overriding(strict: true, kind)
            let none = try await issues(with: trait) {
                _ = try? SpaceValues.current.dependenciesContainer.require(API.self)
            }
            #expect(none.isEmpty)
            let found = try await issues(with: trait) {}
            #expect(found.count == 1)
            let text = try #require(found.first?.text)
            #expect(
                text.hasPrefix("the decorator of API at DepinTestingTests/StrictnessTests.swift:")
            )
        }
    }

    /// Decorators that are put around one another, of a further type, a name, and a parent.
    @Test
    func `knows the use of a decorator further in`() async throws {
        let app = Container {
            $0.register(Tool.self) { Tool() }.implements(AnyObject.self)
            $0.register(Tool.self, anyName: { _, _ in Tool() })
        }
        let child = Container(parent: app)
        child.decorate(Tool.self) { _, inner in inner }
        let trait = SpaceTrait.overriding(strict: true) {
            $0.decorate(Tool.self) { _, inner in inner }
            $0.decorate(AnyObject.self) { _, inner in inner }
            $0.decorate(Tool.self, name: "named") { _, inner in inner }
        }
        let requests: [@Sendable (Container) -> Any] = [
            { $0 ~> Tool.self }, { $0 ~> AnyObject.self }, { $0 ~> (Tool.self, name: "named") },
        ]
        // Of a further type, what it forwards to is decorated too; and of a name, what is for every name.
        for (request, unused) in zip(requests, [2, 1, 1]) {
            let found = try await withSpace(\.dependenciesContainer, child) {
                try await issues(with: trait) {
                    _ = request(SpaceValues.current.dependenciesContainer)
                }
            }
            #expect(found.count == unused)
        }
    }

    @Test
    func `knows the use of several decorators one by one`() async throws {
        let found = try await issues(
            with: .overriding(strict: true) { container in
                container.register(Tool.self) { Tool() }
                container.contribute(Tool.self) { Tool() }
                container.decorate(Tool.self) { _, inner in inner }
                container.decorate(Tool.self, name: "other") { _, inner in inner }
            }
        ) {
            let container = SpaceValues.current.dependenciesContainer
            _ = (container ~> Tool.self, container ~> [Tool].self)
        }
        #expect(
            found.map { $0.text.prefix { $0 != "@" }.components(separatedBy: " at ")[0] } == [
                "the decorator of Tool named \"other\""
            ]
        )
    }

    @Test
    func `counts a factory that throws`() async throws {
        let found = try await issues(
            with: .overriding(strict: true) { container in
                container.register(API.self) { throw Offline() }
            }
        ) {
            let container = SpaceValues.current.dependenciesContainer
            #expect(throws: (any Error).self) { try container.require(API.self) }
        }
        #expect(found.isEmpty)
    }

    @Test
    func `leaves a test alone that throws`() async throws {
        let found = try await issues {
            await #expect(throws: Offline.self) {
                let trait = SpaceTrait.overriding(strict: true) { container in
                    container.register(API.self) { FakeAPI() }
                }
                _ = try await issues(with: trait) { throw Offline() }
            }
        }
        #expect(found.isEmpty)
    }

    @Test
    func `does not ask for what was registered before`() async throws {
        let found = try await issues(with: .overriding(strict: true) { _ in }) {}
        #expect(found.isEmpty)

        let child = Container(parent: SpaceValues.current.dependenciesContainer)
        let inChild = try await withSpace(\.dependenciesContainer, child) {
            try await issues(with: .overriding(strict: true) { _ in }) {}
        }
        #expect(inChild.isEmpty)
    }

    @Test
    func `keeps what its registrations were told`() async throws {
        let found = try await issues(
            with: .overriding(strict: true) { container in
                container.register(Tool.self) { Tool() }
                    .inObjectScope(.container)
                    .implements(AnyObject.self)
                    .initCompleted { resolver, _ in _ = (resolver ~> API.self) }
            }
        ) {
            let container = SpaceValues.current.dependenciesContainer
            #expect((container ~> Tool.self) === (container ~> AnyObject.self))
        }
        #expect(found.isEmpty)
    }
}

@Suite(.assemblies { AppAssembly() })
struct `Forbidding a service` {
    @Test(.forbidding(API.self))
    func `does nothing where nobody asks`() {
        _ = Screen().marker
    }

    @Test
    func `fails the test and says who asked`() async throws {
        let found = try await issues(with: .forbidding(API.self)) {
            #expect(Screen().feed.api.name == "live")
        }
        #expect(found.count == 1)
        #expect(
            found.first?.text == """
                API, which this test forbids, was requested
                  registered at DepinTestingTests/Fixtures.swift:55
                  while building, outermost first:
                    Feed, registered at DepinTestingTests/Fixtures.swift:56, for @Injected at \
                DepinTestingTests/Fixtures.swift:46
                  fix: register a stand-in for it, or for what requested it
                """
        )
        #expect(found.first?.sourceLocation == Test.current?.sourceLocation)
    }

    @Test
    func `tells a property and a plain resolve from a factory`() async throws {
        let found = try await issues(with: .forbidding(API.self)) {
            _ = Injected<any API>(file: "File.swift", line: 7).wrappedValue
            _ = (SpaceValues.current.dependenciesContainer ~> API.self)
        }
        try #require(found.count == 2)
        #expect(found[0].text.contains("\n  @Injected at File.swift:7\n"))
        #expect(found[1].text.contains("\n  by a request outside any factory\n"))
    }

    @Test
    func `says that initCompleted asked`() async throws {
        let found = try await issues(with: .forbidding(API.self)) {
            withSpace(
                overriding: {
                    $0.register(Tool.self) { Tool() }
                        .initCompleted { resolver, _ in _ = (resolver ~> API.self) }
                },
                operation: { resolveTool() }
            )
        }
        #expect(found.count == 1)
        #expect(found.first?.text.contains(", in initCompleted\n") == true)
    }

    @Test
    func `finds it on threads of which the testing library knows nothing`() async throws {
        let found = try await issues(with: .forbidding(API.self)) {
            let screen = Screen()
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    _ = screen.feed
                    continuation.resume()
                }
            }
        }
        #expect(found.count == 1)
        #expect(found.first?.sourceLocation == Test.current?.sourceLocation)
    }

    @Test(.forbidding(API.self), .overriding { $0.register(API.self) { FakeAPI() } })
    func `allows what is registered further in`() {
        #expect(Screen().feed.api.name == "fake")
    }

    @Test
    func `forbids every name, or one`() async throws {
        let names: @Sendable (Container) -> Void = { container in
            container.register(API.self, name: "one") { FakeAPI() }
            container.register(API.self, name: "two") { FakeAPI() }
        }
        let body: @Sendable () -> Void = {
            let container = SpaceValues.current.dependenciesContainer
            _ = (container ~> (API.self, name: "one"))
            _ = (container ~> (API.self, name: "two"))
        }
        try await withSpace(overriding: names) {
            #expect(try await issues(with: .forbidding(API.self), of: body).count == 2)
            let one = try await issues(with: .forbidding(API.self, name: "one"), of: body)
            #expect(one.count == 1)
            #expect(one.first?.text.hasPrefix("API named \"one\", which") == true)
            let two = try await issues(with: .forbidding(API.self, name: Name.two), of: body)
            #expect(two.count == 1)
            #expect(two.first?.text.hasPrefix("API named \"two\", which") == true)
        }
    }

    private enum Name: String, ServiceName { case two }

    @Test
    func `finds arguments, forwards, instances, contributions and what a parent holds`()
        async throws
    {
        let parent = SpaceValues.current.dependenciesContainer
        parent.register(Tool.self) { (_: any Resolver, _: Int) in Tool() }
        parent.register(Tool.self, instance: Tool())
        parent.register(Screen.self) { Screen() }.implements(AnyObject.self)
        parent.contribute(Screen.self) { Screen() }
        let child = Container(parent: parent)
        try await withSpace(\.dependenciesContainer, child) {
            let tools = try await issues(with: .forbidding(Tool.self)) {
                _ = (SpaceValues.current.dependenciesContainer ~> (Tool.self, argument: 1))
                resolveTool()
            }
            #expect(tools.map { $0.text.prefix { $0 != "," } } == ["Tool with (Int)", "Tool"])
            let screens = try await issues(with: .forbidding(AnyObject.self)) {
                _ = (SpaceValues.current.dependenciesContainer ~> Screen.self)
            }
            #expect(screens.count == 1)
            #expect(screens.first?.text.hasPrefix("AnyObject, which") == true)
            #expect(screens.first?.text.contains(" as Screen\n") == true)
            let elements = try await issues(with: .forbidding(Screen.self)) {
                _ = (SpaceValues.current.dependenciesContainer ~> [Screen].self)
            }
            #expect(elements.count == 1)
        }
    }

    @Test
    func `lets an optional be missing`() async throws {
        let found = try await issues(with: .forbidding(Tool.self)) {
            #expect(Injected<Tool?>().wrappedValue == nil)
        }
        #expect(found.isEmpty)
    }
}
