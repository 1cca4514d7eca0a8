import Depin
import DepinTesting
import Testing

@Suite
struct `A space trait` {
    @Test(.space(\.theme, "dark"))
    func `sets one value`() {
        @Space(\.theme) var theme
        #expect(theme == "dark")
    }

    @Test(
        .space {
            $0.theme = "dark"
            $0.language = "fr"
        }
    )
    func `sets several values`() {
        #expect(SpaceValues.current.theme == "dark")
        #expect(SpaceValues.current.language == "fr")
    }

    @Test(.space(\.dependenciesAssembler, Assembler([AppAssembly()])))
    func `gives a test its assembler`() {
        let screen = Screen()
        #expect(screen.feed.api.name == "live")
        #expect(screen.feed.marker === screen.marker)
    }

    @Test(.space { $0.theme = await Task { "async" }.value })
    func `may await`() {
        #expect(SpaceValues.current.theme == "async")
    }

    @Test
    func `leaves the tests beside it alone`() {
        #expect(SpaceValues.current.description == "SpaceValues()")
    }

    @Test(.space(\.theme, "dark"))
    @MainActor
    func `reaches the main actor`() {
        #expect(SpaceValues.current.theme == "dark")
    }

    @Test(.space(\.theme, "first"), .space(\.language, "fr"), .space(\.theme, "last"))
    func `gives way to a later one`() {
        #expect(SpaceValues.current.theme == "last")
        #expect(SpaceValues.current.language == "fr")
    }

    @Suite(.space(\.theme, "outer"), .space(\.language, "outer"))
    struct `on a suite` {
        @Test
        func `reaches its tests`() {
            #expect(SpaceValues.current.theme == "outer")
        }

        @Test(.space(\.theme, "inner"))
        func `gives way to a test's own`() {
            #expect(SpaceValues.current.theme == "inner")
            #expect(SpaceValues.current.language == "outer")
        }

        @Suite(.space(\.language, "inner"))
        struct `and on a suite within` {
            @Test
            func `is seen, the inner one first`() {
                #expect(SpaceValues.current.theme == "outer")
                #expect(SpaceValues.current.language == "inner")
            }

            @Test(.space(\.theme, "innermost"))
            func `is seen where nothing covers it`() {
                #expect(SpaceValues.current.theme == "innermost")
                #expect(SpaceValues.current.language == "inner")
            }
        }
    }
}

@Suite
struct `An assemblies trait` {
    @Test(
        .assemblies {
            AppAssembly()
            FakeNetwork()
        }
    )
    func `applies assemblies in order`() {
        #expect(Screen().feed.api.name == "fake")
    }

    private struct Eager: Assembly {
        func assemble(container: Container) {
            container.register(String.self, instance: "own")
        }

        func loaded(resolver: any Resolver) {
            #expect(Injected<String>().wrappedValue == "own")
        }
    }

    @Test(.assemblies { Eager() })
    func `is in force while it is loaded`() {
        let container = SpaceValues.current.dependenciesContainer
        #expect((container ~> String.self) == "own")
    }

    private struct Replacing: Assembly {
        let replaces: [any Assembly.Type]

        func assemble(container: Container) {
            container.register(API.self) { FakeAPI() }
        }
    }

    private struct Requiring: Assembly {
        var requires: [any Assembly] { [AppAssembly()] }

        func assemble(container: Container) {}
    }

    @Test(
        .assemblies {
            Requiring()
            Replacing(replaces: [AppAssembly.self])
        }
    )
    func `applies a replacement in place of what is required`() {
        let container = SpaceValues.current.dependenciesContainer
        #expect((container ~> API.self).name == "fake")
        #expect(container.resolve(Feed.self) == nil)
    }

    @Test
    func `fails the test for a replacement of what is not there`() async throws {
        let found = try await issues(
            with: .assemblies {
                Requiring()
                Replacing(replaces: [FakeNetwork.self, AppAssembly.self])
            }
        ) {}
        #expect(
            found.map(\.text) == [
                """
                Replacing replaces FakeNetwork, which this test neither applies nor requires
                  fix: remove it, or apply the assembly that requires FakeNetwork
                """
            ]
        )
        #expect(found.first?.sourceLocation == Test.current?.sourceLocation)
    }

    @Suite(.assemblies { AppAssembly() })
    struct `on a suite` {
        @Test(.assemblies { FakeNetwork() })
        func `is replaced as a whole by a test's own`() {
            let container = SpaceValues.current.dependenciesContainer
            #expect((container ~> API.self).name == "fake")
            #expect(container.resolve(Feed.self) == nil)
        }
    }
}

@Suite(.assemblies { AppAssembly() })
struct `An overriding trait` {
    @Test(.overriding { $0.register(API.self) { FakeAPI() } })
    func `replaces one service and leaves the others`() {
        let screen = Screen()
        #expect(screen.feed.api.name == "fake")
        #expect(screen.marker === screen.feed.marker)
    }

    @Test(
        .overriding { $0.register(API.self) { FakeAPI(name: "first") } },
        .overriding { $0.register(String.self) { "second" } }
    )
    func `nests`() {
        let container = SpaceValues.current.dependenciesContainer
        #expect((container ~> API.self).name == "first")
        #expect((container ~> String.self) == "second")
    }

    @Test(.overriding { $0.register(Screen.self, instance: Screen()) })
    func `makes its instances in its own space`() {
        let container = SpaceValues.current.dependenciesContainer
        let screen = container ~> Screen.self
        #expect(screen.feed === (container ~> Feed.self))
        #expect(screen.marker === (container ~> Marker.self))
        #expect(screen.marker === screen.feed.marker)
    }
}

@Suite
struct `A trait's containers` {
    private final class Kept: Sendable {
        /// Nobody reads it, so it holds the overrides, and with them the container, for ever.
        let unread = Injected<Marker>()
    }

    private struct Weak: @unchecked Sendable {  // The object is only looked for.
        weak var object: Kept?
    }

    private static let traits: [@Sendable () -> SpaceTrait] = [
        { .assemblies { KeptAssembly() } },
        { .overriding { KeptAssembly().assemble(container: $0) } },
        { .overriding(strict: true) { KeptAssembly().assemble(container: $0) } },
        { .forbidding(Marker.self) },
    ]

    private struct KeptAssembly: Assembly {
        func assemble(container: Container) {
            container.register(Kept.self) { Kept() }.inObjectScope(.container)
        }
    }

    @Test(.assemblies { KeptAssembly() }, arguments: 0..<4)
    func `let go of what they share when the test has ended`(index: Int) async throws {
        let test = try #require(Test.current)
        let trait = Self.traits[index]()
        let seen = SharedValue<Weak?>(nil)
        try await trait.provideScope(for: test, testCase: .current) {
            let container = SpaceValues.current.dependenciesContainer
            seen.value = Weak(object: container ~> Kept.self)
            #expect(seen.value?.object === (container ~> Kept.self))
        }
        #expect(seen.value != nil)
        #expect(seen.value?.object == nil)
    }
}

@Suite
struct `A trait's value` {
    static let seen = SharedNumbers()

    @Test(.space(\.marker, Marker()), arguments: 0..<20)
    func `is made for each case of a parameterised test`(number: Int) {
        let marker = SpaceValues.current.marker
        #expect(marker === SpaceValues.current.marker)
        #expect(Self.seen.insert(marker.number), "another case had this marker")
    }

    @Suite(.assemblies { AppAssembly() })
    struct `on a suite` {
        @Test(arguments: 0..<20)
        func `is made for each case`(number: Int) {
            let marker = SpaceValues.current.dependenciesContainer ~> Marker.self
            #expect(`A trait's value`.seen.insert(marker.number), "another case had this marker")
        }
    }
}
