import Depin
import DepinTesting
import NewsServices
import Testing

@Suite(.assemblies { NewsAssembly() })
struct `The app that was with Factory` {
    @Test func `reports the same`() {
        #expect(report() == Report.live)
    }

    @Test(.overriding { $0.register(API.self) { FakeAPI() } })
    func `asks the fake`() {
        let model = NewsModel()

        #expect(model.titles() + [model.open(id: 7)] == Report.fake)
    }

    @Test func `reports the same as it is launched`() {
        withSpace(\.dependenciesAssembler, Assembler()) {
            launch()
            #expect(report() == Report.live)
        }
    }

    @Test func `has everything`() throws {
        try SpaceValues.current.dependenciesContainer.validate()
    }
}
