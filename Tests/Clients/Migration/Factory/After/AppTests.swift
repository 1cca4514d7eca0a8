// swift-format-ignore-file: OnlyOneTrailingClosureArgument

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

    @Test func `asks the fake that it registers itself`() {
        let container = SpaceValues.current.dependenciesContainer
        container.register(API.self) { FakeAPI() }
        let model = NewsModel()

        #expect(model.titles() + [model.open(id: 7)] == Report.fake)
    }

    @Test(arguments: 1...20)
    func `registers for one test alone`(id: Int) async {
        let container = SpaceValues.current.dependenciesContainer
        container.register(Profile.self) { (_: Resolver, _: Int) in Title("\(id)") }
        await Task.yield()

        #expect(NewsModel().open(id: 0) == "\(id)")
    }

    @Test func `drops what is cached, and no singleton`() {
        let container = SpaceValues.current.dependenciesContainer
        let audit = container ~> (Log.self, name: LogName.audit)
        let api = container ~> API.self
        container.resetObjectScope(.cached)

        let another = container ~> (Log.self, name: LogName.audit)
        #expect(another as AnyObject !== audit as AnyObject)
        #expect((container ~> API.self) === api)
    }

    @Test func `goes back to what was registered before`() {
        withSpace(overriding: {
            $0.register(Profile.self) { (_: Resolver, _: Int) in Title("fake") }
        }) {
            #expect(NewsModel().open(id: 7) == "fake")
        }

        #expect(NewsModel().open(id: 7) == "profile 7 of 2 titles")
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

private struct Title: Profile {
    let title: String

    init(_ title: String) { self.title = title }
}
