import FactoryKit
import NewsServices
import Testing

// One container for all tests, so that they run one by one and each begin anew.
@Suite(.serialized)
struct `The app with Factory` {
    init() { Container.shared.reset() }

    @Test func `reports`() {
        #expect(report() == Report.live)
    }

    @Test func `asks the fake`() {
        Container.shared.api.register { FakeAPI() }
        defer { Container.shared.api.reset() }
        let model = NewsModel()

        #expect(model.titles() + [model.open(id: 7)] == Report.fake)
    }

    @Test func `has a context for tests`() {
        let factory = Container.shared.api.onTest { FakeAPI() }

        #expect(factory.unique().titles() == ["fake news"])
    }
}
