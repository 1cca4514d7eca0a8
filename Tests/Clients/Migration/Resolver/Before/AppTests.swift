import NewsServices
import Resolver
import Testing

// One registry for all tests, so that they run one by one, in an order that suits it.
@Suite(.serialized)
struct `The app with Resolver` {
    @Test func `reports`() {
        #expect(report() == Report.live)
    }

    @Test func `asks the fake`() {
        Resolver.register { FakeAPI() as API }
        defer { Resolver.register { LiveAPI(log: Resolver.resolve()) as API } }
        let model = NewsModel()

        #expect(model.titles() + [model.open(id: 7)] == Report.fake)
    }

    @Test func `shares a graph with the properties of what it makes`() {
        final class Reader {
            @Injected var first: Feedback
            @Injected var second: Feedback
        }
        Resolver.register { Feedback() }
        Resolver.register { Reader() }
        let reader: Reader = Resolver.resolve()

        #expect(reader.first === reader.second)
    }

    @Test func `hands arguments on to what sets properties`() {
        Resolver.register { Draft() }
            .resolveProperties { (_: Resolver, draft: Draft, args: Resolver.Args) in
                draft.title = args()
            }
        let draft: Draft = Resolver.resolve(args: "a")

        #expect(draft.title == "a")
    }

    @Test func `drops what is cached, and nothing of the application's`() {
        Resolver.register { Draft() }.scope(.cached)
        Resolver.register { Feedback() }.scope(.application)
        let draft: Draft = Resolver.resolve()
        let feedback: Feedback = Resolver.resolve()
        ResolverScope.cached.reset()

        #expect(Resolver.resolve(Draft.self) !== draft)
        #expect(Resolver.resolve(Feedback.self) === feedback)
    }

    @Test func `gives the resolver to who conforms`() {
        struct Screen: Resolving {
            var api: API? { resolver.optional() }
        }

        #expect(Screen().api != nil)
    }
}

private final class Draft {
    var title = ""
}

private final class Feedback {}
