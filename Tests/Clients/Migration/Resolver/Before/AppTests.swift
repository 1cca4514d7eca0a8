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
}

private final class Feedback {}
