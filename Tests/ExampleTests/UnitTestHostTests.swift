import Depin
import Foundation
import Testing

@testable import Journal
@testable import LaunchTime
@testable import Previews
@testable import QuickStart

/// The examples where unit tests run in the program itself: they leave the launch to the tests.
@Suite struct UnitTestHostTests {
    // On Apple platforms an app hosts its unit tests, and Xcode starts it with these.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["QuickStart", "Journal", "LaunchTime", "Previews"],
        ["XCTestConfigurationFilePath", "XCTestBundlePath"]
    )
    func `starts empty where Xcode runs unit tests in it`(name: String, variable: String) throws {
        let home = try TemporaryFolder()
        let run = try ExampleProgram(name).run(
            // Without arguments Journal does nothing in any case.
            name == "Journal" ? ["add", "an entry"] : [],
            environment: [variable: "/some/path", "HOME": home.url.path]
        )
        #expect(run == .init(exitStatus: 0, standardOutput: "", standardError: ""))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == [])
    }

    // On Linux the tests are a program of their own, this one, and call `main` or do not.
    @MainActor
    @Test func `starts empty in the program of the tests`() async throws {
        try QuickStart.App.main()
        await Journal.Main.main()
        try await LaunchTime.Program.main()
        Previews.App.main()
        let container = SpaceValues.current.dependenciesContainer
        #expect(!container.hasAnyRegistration(of: FeedService.self))
        #expect(!container.hasAnyRegistration(of: JournalPresenter.self))
        #expect(!container.hasAnyRegistration(of: Forecast.self))
    }
}
