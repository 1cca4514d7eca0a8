import Depin
import DepinTesting
import Testing

// The code of the article "Testing". `.ci/quotes.py` finds its blocks here.

private protocol NewsAPI: Sendable {
    func headlines() async -> [String]
}

private struct LiveNews: NewsAPI {
    func headlines() async -> [String] { ["Live"] }
}

private struct FakeNews: NewsAPI {
    var all = ["A cat on the moon"]

    func headlines() async -> [String] { all }
}

private actor NewsMock: NewsAPI {
    private(set) var count = 0

    func headlines() -> [String] {
        count += 1
        return ["A cat on the moon"]
    }
}

private final class Cache: Sendable {}

extension ObjectScope {
    fileprivate static let request = ObjectScope(opened: "request")
}

private struct Reader: Sendable {
    let name: String
}

private struct Greeting {
    @Injected var reader: Reader

    var text: String { "Good morning, \(reader.name)." }
}

private final class NewsScreen: Sendable {
    private let api = Injected<any NewsAPI>()
    private let cache = Injected<Cache>()

    func title() async -> String {
        await api.wrappedValue.headlines().first ?? "No news"
    }

    func cachedTitle() -> String {
        withExtendedLifetime(cache.wrappedValue) { "No news" }
    }
}

private struct NewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(NewsAPI.self) { LiveNews() }
        container.register(Cache.self) { Cache() }.inObjectScope(.container)
    }
}

private struct FakeNewsAssembly: Assembly {
    func assemble(container: Container) {
        container.register(NewsAPI.self) { FakeNews() }
    }
}

@Suite
private struct ShortestTest {
    @Test(.overriding { $0.register(NewsAPI.self) { FakeNews() } })
    func `shows the first headline`() async {
        #expect(await NewsScreen().title() == "A cat on the moon")
    }
}

@Suite(
    .assemblies {
        NewsAssembly()
        FakeNewsAssembly()
    },
    .space(\.theme, "dark")
)
private struct NewsTests {
    @Test
    func `shows the first headline`() async {
        #expect(await NewsScreen().title() == "A cat on the moon")
    }

    @Test(.overriding { $0.register(NewsAPI.self) { FakeNews(all: []) } })
    func `says when there is none`() async {
        #expect(await NewsScreen().title() == "No news")
    }

    @Test(arguments: ["en", "fr"])
    func `starts without a headline in every language`(language: String) {
        withSpace(\.language, language) {
            #expect(NewsScreen().cachedTitle() == "No news")
        }
    }
}

@Suite
private struct Assemblers {
    @Test(.space(\.dependenciesAssembler, Assembler([FakeNewsAssembly()])))
    func `shows the feed`() async {
        #expect(await NewsScreen().title() == "A cat on the moon")
    }
}

@Suite(.assemblies { NewsAssembly() })
private struct FurtherTests {
    @Test(.space(\.theme, "dark"))
    func `reaches what is captured`() async {
        let captured = SpaceValues.current
        await Task.detached {
            #expect(SpaceValues.current.theme == "light")
            withSpace(captured) {
                #expect(SpaceValues.current.theme == "dark")
            }
        }.value
    }

    @Test func `asks for the news once`() async {
        let news = NewsMock()
        await withSpace(
            overriding: { $0.register(NewsAPI.self, instance: news) },
            operation: { _ = await NewsScreen().title() }
        )
        #expect(await news.count == 1)
    }

    @Test(.opening(.request) { $0.register(Reader.self, instance: Reader(name: "Ada")) })
    func `greets the reader`() {
        #expect(Greeting().text == "Good morning, Ada.")
    }

    @Test(.overriding(strict: true) { $0.register(NewsAPI.self) { FakeNews() } })
    func `asks the network`() async {
        #expect(await NewsScreen().title() == "A cat on the moon")
    }

    @Test(.forbidding(NewsAPI.self))
    func `starts from the cache`() {
        #expect(NewsScreen().cachedTitle() == "No news")
    }

    @Test
    func `lets go of the screen`() async {
        await expectReleased {
            let screen = NewsScreen()
            _ = await screen.title()
            return screen
        }
    }
}
