import Depin
import Testing

/// The messages of what goes wrong in a task, compared with golden files as ``ErrorMessageTests`` does.
struct AsyncErrorMessageTests {
    private let container = Container()

    @Test func `an error behind suspensions names every hop`() async throws {
        container.register(FeedService.self) { r in FeedService(api: try r.require((any API).self))
        }
        container.register(
            Profile.self,
            asyncFactory: { r in
                await Task.yield()
                _ = try r.require(FeedService.self)
                return Profile()
            }
        ).inObjectScope(.container)
        container.register(
            FeedScreen.self,
            asyncFactory: { r in
                _ = try await r.requireAsync(Profile.self)
                return FeedScreen(feed: FeedService())
            }
        )
        try await check("missing behind two asynchronous factories") {
            try await container.requireAsync(FeedScreen.self)
        }
    }

    @Test func `a circle on the path of a task shows the way around`() async throws {
        container.register(
            Profile.self,
            asyncFactory: { r in
                _ = try await r.requireAsync(FeedScreen.self)
                return Profile()
            }
        ).inObjectScope(.container)
        container.register(
            FeedScreen.self,
            asyncFactory: { r in
                _ = try await r.requireAsync(Profile.self)
                return FeedScreen(feed: FeedService())
            }
        ).inObjectScope(.container)
        try await check("circular, on the path of a task") {
            try await container.requireAsync(Profile.self)
        }
    }

    @Test func `an AsyncLazy says whose it is`() async throws {
        container.register(
            Profile.self,
            asyncFactory: { r in
                _ = try r.require((any API).self)
                return Profile()
            }
        )
        container.register([AsyncLazy<Profile>].self) { r in [r()] }
        let profiles = container([AsyncLazy<Profile>].self)
        try await check("missing for the AsyncLazy of a factory") {
            try await profiles[0].value
        }
        let screen = withSpace(\.dependenciesContainer, container) { LazyScreen() }
        let error = await #expect(throws: ResolutionError.self) {
            _ = try await screen.profile.value
        }
        #expect(error?.path.first?.request.injectedAt?.line == LazyScreen.line)
    }

    @Test func `an asynchronous factory that throws is named`() async throws {
        container.register(
            Profile.self,
            asyncFactory: {
                await Task.yield()
                throw OutOfDisk()
            }
        )
        try await check("an asynchronous factory threw") {
            try await container.requireAsync(Profile.self)
        }
    }

    @Test func `a service of a scope that a detached task has left behind`() async throws {
        container.register(Profile.self) { Profile() }.inObjectScope(.request)
        try await check("a service of a scope, asked in a detached task") {
            try await container.withScope(.request) { [container] _ in
                try await Task.detached { try container.require(Profile.self) }.value
            }
        }
    }

    private func check(_ name: String, _ body: () async throws -> some Any) async throws {
        do {
            _ = try await body()
            Issue.record("nothing went wrong")
        } catch {
            try Golden(name).check("\(error)")
        }
    }
}

private struct LazyScreen {
    static let line: Int = #line + 1
    @Injected var profile: AsyncLazy<Profile>
}
