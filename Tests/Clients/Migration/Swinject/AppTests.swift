// swift-format-ignore-file: NeverForceUnwrap

import Depin  // was: import Swinject
import Dispatch
import NewsServices
import Testing

struct `The app with Swinject` {
    private let container = Container()

    @Test func `reports`() {
        let assembler = Assembler([NewsAssembly(), ScreenAssembly()], container: container)

        #expect(report(assembler, container) == Report.live)
    }

    @Test func `asks the fake`() {
        let assembler = Assembler([NewsAssembly(), ScreenAssembly()], container: container)
        container.register(API.self) { _ in FakeAPI() }
        let model = container.resolve(NewsModel.self)!
        let profile = assembler.resolver.resolve(Profile.self, argument: 7)!

        #expect(model.titles() + [profile.title] == Report.fake)
    }

    @Test func `serves other threads through a view`() {
        container.register(API.self) { _ in FakeAPI() }
        let resolver = container.synchronize()

        #expect(resolver.resolve(API.self) != nil)
    }

    @Test func `changes what nothing guards behind a view that runs one factory at a time`() {
        var visits = 0
        container.register(Int.self) { _ in
            visits += 1
            return visits
        }
        .inObjectScope(.transient)
        let resolver = container.synchronize(serializingFactories: true)  // was: synchronize()

        DispatchQueue.concurrentPerform(iterations: 100) { _ in _ = resolver.resolve(Int.self) }
        #expect(visits == 100)
    }
}
