import Depin
import DepinTesting
import Testing

/// The traits replace a registration where it stands in the hierarchy, as `withSpace` does.
@Suite(.space { $0.dependenciesContainer = Container(parent: $0.appContainer) })
struct `A trait with a child container in force` {
    @Test(.overriding { $0.register(API.self) { FakeAPI() } })
    func `reaches a parent's shared instance`() {
        #expect(Injected<Feed>().wrappedValue.api.name == "fake")
    }

    @Test func `strict, knows that a parent's shared instance has used the override`() async throws
    {
        let used = try await issues(
            with: .overriding(strict: true) { $0.register(API.self) { FakeAPI() } },
            of: { _ = Injected<Feed>().wrappedValue }
        )
        #expect(used.map(\.text) == [])
        let unused = try await issues(
            with: .overriding(strict: true) { $0.register(API.self) { FakeAPI() } },
            of: { _ = Injected<Marker>().wrappedValue }
        )
        #expect(unused.count == 1)
    }

    @Test func `allows what a later trait registers over what is forbidden`() async throws {
        let forbidding = SpaceTrait.forbidding(API.self)
        let issues = try await issues(with: forbidding) {
            withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) {
                _ = Injected<Feed>().wrappedValue
            }
        }
        #expect(issues.map(\.text) == [])
    }
}

private enum AppContainerKey: SpaceKey {
    static var defaultValue: Container { Container(registeringClosure: AppAssembly().assemble) }
}

extension SpaceValues {
    fileprivate var appContainer: Container { self[AppContainerKey.self] }
}
