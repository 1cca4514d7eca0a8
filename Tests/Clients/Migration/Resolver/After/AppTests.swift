import Depin
import DepinTesting
import NewsServices
import Testing

@Suite(.assemblies { NewsAssembly() })
struct `The app that was with Resolver` {
    @Test func `reports the same`() {
        #expect(report() == Report.live)
    }

    @Test(.overriding { $0.register(API.self) { FakeAPI() } })
    func `asks the fake`() {
        let model = NewsModel()

        #expect(model.titles() + [model.open(id: 7)] == Report.fake)
    }

    @Test(
        .overriding { container in
            container.register(Draft.self) { (_: Resolver, title: String) in
                let draft = Draft()
                draft.title = title
                return draft
            }
        }
    )
    func `sets properties from arguments in the factory`() {
        let container = SpaceValues.current.dependenciesContainer

        #expect((container ~> (Draft.self, argument: "a")).title == "a")
    }

    @Test func `has everything`() throws {
        try SpaceValues.current.dependenciesContainer.validate()
    }

    @Test(
        .overriding { container in
            container.register(Feedback.self) { Feedback() }
            container.register(Reader.self) { r in Reader(first: r~>, second: r~>) }
            container.register(LazyReader.self) { LazyReader() }
        }
    )
    func `shares a graph with what its initializer takes, not with its properties`() {
        let container = SpaceValues.current.dependenciesContainer
        let reader = container ~> Reader.self
        let lazy = container ~> LazyReader.self

        #expect(reader.first === reader.second)
        #expect(lazy.first !== lazy.second)
    }
}

private final class Draft {
    var title = ""
}

private final class Feedback {}

private struct Reader {
    let first: Feedback
    let second: Feedback
}

private final class LazyReader {
    @Injected var first: Feedback
    @Injected var second: Feedback
}
