import Depin
import NewsServices
import Testing

struct `The app with the older Depin` {
    @Test func `reports`() {
        withSpace(\.dependenciesAssembler, Assembler()) {
            Launch.start()
            #expect(report() == Report.live)
        }
    }

    @Test func `asks the fake`() {
        withSpace(\.dependenciesAssembler, Assembler()) {
            Launch.start()
            SpaceValues.current.dependenciesContainer.register(API.self) { _ in FakeAPI() }
            let model = NewsModel()

            #expect(model.titles() + [model.open(id: 7)] == Report.fake)
        }
    }
}
