import Depin
import DepinTesting
import Testing

/// What a test leaves in a global keeps its overrides, and the trait says so.
struct `A test's overrides that are held after its end` {
    @Test(arguments: Trait.allCases)
    func `are reported with the property that holds them`(_ trait: Trait) async throws {
        let keeper = SharedValue<[AnyObject]>([])
        let issues = try await issues(with: trait.spaceTrait) {
            keeper.value.append(Manager())
        }
        expectWarning(naming: [Manager.propertyLine], in: issues)
        #expect(keeper.value.count == 1)
    }

    @Test func `are reported with every property that holds them`() async throws {
        let keeper = SharedValue<[AnyObject]>([])
        let issues = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {
            keeper.value += [Manager(), OtherManager(), Manager()]
        }
        expectWarning(naming: [Manager.propertyLine, OtherManager.propertyLine], in: issues)
        #expect(keeper.value.count == 3)
    }

    /// The property has let go of the overrides, but not of the test's service.
    @Test func `are reported when the property that holds them was read`() async throws {
        let keeper = SharedValue<[AnyObject]>([])
        let issues = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {
            let manager = Manager()
            #expect(manager.api.name == "fake")
            keeper.value.append(manager)
        }
        expectWarning(naming: [Manager.propertyLine], in: issues)
        #expect(keeper.value.count == 1)
    }

    @Test func `are reported of a task that still runs, with what ends that`() async throws {
        let goesOn = AsyncStream<Never>.makeStream()
        let task = SharedValue<Task<Void, Never>?>(nil)
        let issues = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {
            let manager = Manager()
            task.value = Task.detached {
                for await _ in goesOn.stream {}
                withExtendedLifetime(manager) {}
            }
        }
        expectWarning(naming: [Manager.propertyLine], in: issues)
        #expect(issues.first?.text.hasSuffix("if a task holds them that still runs") == true)
        goesOn.continuation.finish()
        await task.value?.value
    }

    /// As an app has it: whoever comes first makes it.
    @Test func `are reported of a static constant that the test is the first to touch`()
        async throws
    {
        enum Global {
            static let manager = Manager()
        }
        let trait = SpaceTrait.overriding { $0.register(API.self) { FakeAPI() } }
        let first = try await issues(with: trait) { _ = Global.manager }
        expectWarning(naming: [Manager.propertyLine], in: first)
        // Nothing of the second one's is held.
        let second = try await issues(with: trait) { _ = Global.manager }
        #expect(second.map(\.text) == [])
    }

    @Test(arguments: Trait.allCases)
    func `are no matter when the test has let go of all`(_ trait: Trait) async throws {
        let issues = try await issues(with: trait.spaceTrait) {
            let manager = Manager()
            _ = (manager.api, OtherManager())
            // What the container keeps ends with it.
            use(SpaceValues.current.dependenciesContainer ~> Feed.self)
            await Task { _ = Manager().api }.value
        }
        #expect(issues.map(\.text) == [])
    }

    @Test func `are no matter of what was made before`() async throws {
        let manager = Manager()
        let issues = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {
            withExtendedLifetime(manager) {}
        }
        #expect(issues.map(\.text) == [])
    }

    private func expectWarning(
        naming lines: [UInt],
        in issues: [Issue],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let severities = Set(issues.map(\.severity))
        #expect(severities == [.warning], sourceLocation: sourceLocation)
        let text = issues.map(\.text).joined(separator: "\n")
        for line in lines {
            let place = "DepinTestingTests/HeldOverrideTests.swift:\(line)"
            #expect(text.contains(place), sourceLocation: sourceLocation)
        }
    }

    enum Trait: CaseIterable {
        case overriding, assemblies, space

        var spaceTrait: SpaceTrait {
            switch self {
            case .overriding:
                .overriding {
                    AppAssembly().assemble(container: $0)
                    $0.register(API.self) { FakeAPI() }
                }
            case .assemblies: .assemblies { AppAssembly() }
            case .space: .space(\.dependenciesAssembler, Assembler([AppAssembly()]))
            }
        }
    }
}

private final class Manager: Sendable {
    static let propertyLine: UInt = #line + 1
    private let injectedAPI = Injected<any API>()
    var api: any API { injectedAPI.wrappedValue }
}

private final class OtherManager: Sendable {
    static let propertyLine: UInt = #line + 1
    private let injectedFeed = Injected<Feed>()
    var feed: Feed { injectedFeed.wrappedValue }
}

private func use(_: Any) {}
