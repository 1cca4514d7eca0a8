import FactoryKit
import FactoryTesting
import NewsServices
import Testing

@Suite(.container)
struct `The app with Factory` {
    @Test func `reports`() {
        #expect(report() == Report.live)
    }

    @Test func `asks the fake`() {
        Container.shared.api.register { FakeAPI() }
        let model = NewsModel()

        #expect(model.titles() + [model.open(id: 7)] == Report.fake)
    }

    @Test func `has a context for tests`() {
        let factory = Container.shared.api.onTest { FakeAPI() }

        #expect(factory.unique().titles() == ["fake news"])
    }

    @Test(arguments: 1...20)
    func `registers for one test alone`(id: Int) async {
        Container.shared.profile.register { [id] _ in Title("\(id)") }
        await Task.yield()

        #expect(NewsModel().open(id: 0) == "\(id)")
    }

    @Test func `drops what is cached, and no singleton`() {
        let audit = Container.shared.audit()
        let api = Container.shared.api()
        Container.shared.manager.reset(scope: .cached)

        #expect(Container.shared.audit() as AnyObject !== audit as AnyObject)
        #expect(Container.shared.api() === api)
    }

    @Test func `keeps one instance, or one for each parameter`() {
        let first = Container.shared.reader(1)
        let each = Container.shared.readerOfEach(1)

        #expect(Container.shared.reader(2) === first)
        #expect(Container.shared.readerOfEach(2) !== each)
        #expect(Container.shared.readerOfEach(1) === each)
    }

    @Test func `goes back to what was registered before`() {
        Container.shared.manager.push()
        Container.shared.profile.register { _ in Title("fake") }
        #expect(NewsModel().open(id: 7) == "fake")
        Container.shared.manager.pop()

        #expect(NewsModel().open(id: 7) == "profile 7 of 2 titles")
    }

    #if DEBUG
    @Test func `stops at a promise that nobody kept`() async {
        await #expect(processExitsWith: .failure) {
            _ = Container.shared.promise()
        }
    }
    #endif
}

private final class Reader {}

private struct Title: Profile {
    let title: String

    init(_ title: String) { self.title = title }
}

extension Container {
    fileprivate var reader: ParameterFactory<Int, Reader> { self { _ in Reader() }.cached }
    fileprivate var readerOfEach: ParameterFactory<Int, Reader> {
        self { _ in Reader() }.scopeOnParameters.cached
    }
    fileprivate var promise: Factory<Analytics?> { promised() }
}
