import Depin
import Foundation
import Testing

extension Situation {
    static let circular = [
        Situation("circular, by itself") { form in
            let container = Container()
            container.register(Node.self) { r in Node(try form.ask(r, Node.self)) }
            try form.ask(container, Node.self)
        },
        Situation("circular, by three") { form in
            let container = circle(form)
            try form.ask(container, Left.self)
        },
        Situation("circular, entered from outside") { form in
            let container = circle(form)
            container.register(Profile.self) { r in
                try form.ask(r, Middle.self)
                return Profile()
            }
            try form.ask(container, Profile.self)
        },
        Situation("circular, by initializers and singletons") { form in
            let container = Container()
            container.autoregister(Left.self) { (_: Right) in Left() }.inObjectScope(.container)
            container.autoregister(Right.self) { (_: Left) in Right() }.inObjectScope(.container)
            try form.ask(container, Left.self)
        },
        Situation("circular, by an @Injected property") { form in
            guard form == .trap else { throw Skipped() }
            let container = Container()
            container.register((any API).self) {
                use(PaymentsScreen().api)
                return LiveAPI()
            }
            withSpace(\.dependenciesContainer, container) { use(container ~> (any API).self) }
        },
        Situation("circular, across two threads") { form in
            try acrossThreads(form)
        },
        Situation("recursion without end") { form in
            let container = Container()
            container.register(Profile.self) { (r, depth: Int) in
                try form.ask(r, Profile.self, depth + 1)
            }
            try form.ask(container, Profile.self, 0)
        },
    ]

    static let failing = [
        Situation("takes time, and asked for at once") { form in
            let container = Container()
            container.register(FeedService.self, asyncFactory: { FeedService() })
                .inObjectScope(.container)
            container.register(FeedScreen.self) { r in
                FeedScreen(feed: try form.ask(r, FeedService.self))
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("takes time, and asked for outside a factory") { form in
            let container = Container()
            container.register(FeedService.self, asyncFactory: { FeedService() })
                .inObjectScope(.container)
            try form.ask(container, FeedService.self)
        },
        Situation("a factory threw") { form in
            let container = Container()
            container.register(FeedService.self) { throw OutOfDisk() }
            container.register(FeedScreen.self) { r in
                FeedScreen(feed: try form.ask(r, FeedService.self))
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("forwarded to a product that does not conform") { form in
            let container = Container()
            container.register(Profile.self) { Profile() }.implements((any API).self)
            try form.ask(container, (any API).self)
        },
        Situation("a main-actor factory off the main thread") { form in
            let container = Container()
            container.register(Profile.self, mainActorFactory: { Profile() })
            container.register(FeedScreen.self) { r in
                try form.ask(r, Profile.self)
                return FeedScreen(feed: FeedService())
            }
            try onThread { use(try form.ask(container, FeedScreen.self)) }
        },
        Situation("an error of another thread, passed on") { form in
            let container = Container()
            container.register(FeedService.self) { r in
                try onThread { use(try r.require((any API).self)) }
                return FeedService()
            }
            container.register(FeedScreen.self) { r in
                FeedScreen(feed: try form.ask(r, FeedService.self))
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("an error of an earlier resolution, passed on") { form in
            let container = Container()
            container.register(Node.self) { r in Node(try r.require((any API).self)) }
            container.register(Left.self) { r in
                use(try r.require(Node.self))
                return Left()
            }
            let earlier = Result { try container.require(Left.self) }
            container.register(FeedService.self) { _ in
                use(try earlier.get())
                return FeedService()
            }
            container.register(FeedScreen.self) { r in
                FeedScreen(feed: try form.ask(r, FeedService.self))
            }
            try form.ask(container, FeedScreen.self)
        },
        Situation("a Provider whose container is gone") { form in
            guard form == .trap else { throw Skipped() }
            var container: Container? = Container()
            container?.register(Profile.self) { Profile() }
            container?.register([Provider<Profile>].self) { r in [r ~> Provider<Profile>.self] }
                .inObjectScope(.container)
            let providers = try #require(container?.resolve([Provider<Profile>].self))
            container = nil
            use(providers[0].instance)
        },
    ]

    private static func circle(_ form: Form) -> Container {
        let container = Container()
        container.register(Left.self) { r in
            try form.ask(r, Middle.self)
            return Left()
        }
        container.register(Middle.self) { r in
            try form.ask(r, Right.self)
            return Middle()
        }
        container.register(Right.self) { r in
            try form.ask(r, Left.self)
            return Right()
        }
        return container
    }

    /// This thread builds `Right` and wants `Left`, the other builds `Left` and waits for `Right`.
    private static func acrossThreads(_ form: Form) throws {
        let otherIsUnderWay = DispatchSemaphore(value: 0)
        let container = Container()
        container.register(Left.self) { r in
            otherIsUnderWay.signal()
            try form.ask(r, Right.self)
            return Left()
        }.inObjectScope(.container)
        container.register(Right.self) { r in
            if Thread.current.name != "other" {
                let other = Thread { _ = try? container.require(Left.self) }
                other.name = "other"
                other.start()
                otherIsUnderWay.wait()
                // It needs a moment from its signal to its wait for this thread.
                Thread.sleep(forTimeInterval: 0.3)
            }
            try form.ask(r, Left.self)
            return Right()
        }.inObjectScope(.container)
        try form.ask(container, Right.self)
    }

    private static func onThread(_ body: @escaping () throws -> Void) throws {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
        let done = DispatchSemaphore(value: 0)
        Thread {
            result = Result { try body() }
            done.signal()
        }.start()
        done.wait()
        try result.get()
    }
}
