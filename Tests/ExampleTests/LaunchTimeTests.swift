import Depin
import DepinTesting
import Synchronization
import Testing

@testable import LaunchTime

/// The app, with initializers that count in the place of those that work.
@Suite(
    .assemblies { AppAssembly() },
    .overriding { $0.register(Work.self) { CountingWork() }.inObjectScope(.container) }
)
struct LaunchTimeTests {
    @Space(\.dependenciesContainer) private var container

    private var built: Int {
        (container.resolve(Work.self) as? CountingWork)?.count.load(ordering: .relaxed) ?? 0
    }

    @Test func `registering builds nothing`() {
        for feature in AppAssembly.features {
            feature.assemble(container: container)
        }
        #expect(AppAssembly.features.count == 20)
        #expect(built == 0)
    }

    @Test func `an eager launch builds everything`() async throws {
        let launch = try await Launch(.eager)
        #expect(built == 300)
        let services = try #require(launch.report).services.filter { "\($0.request)" != "Work" }
        #expect(services.count == 300)
    }

    @Test func `a lazy launch builds what its two screens need`() async throws {
        _ = try await Launch(.lazy)
        #expect(built == 30)
    }

    @Test func `a screen builds its services once`() {
        FeatureAssembly<Feed>().assemble(container: container)
        for _ in 0..<3 {
            HomeScreen().show()
        }
        #expect(built == 15)
    }

    @Test(.timeLimit(.minutes(5)))
    func `prints a table of its figures`() throws {
        let run = try ExampleProgram("LaunchTime").run()
        let lines = run.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(run.exitStatus == 0)
        #expect(lines.first == "300 services; milliseconds, median of 5 launches")
        let rows = lines.dropFirst(3).prefix(2).map { $0.split(separator: " ") }
        #expect(rows.map(\.first) == ["eager", "lazy"])
        #expect(rows.joined().compactMap { Double($0) }.count == 6)
        #expect(lines.dropFirst(6).first == "the critical path of an eager launch:")
        #expect(lines.dropFirst(7).first?.contains(" → ") == true)
    }
}

private final class CountingWork: Work {
    let count = Atomic<Int>(0)

    func perform() {
        count.wrappingAdd(1, ordering: .relaxed)
    }
}
