import Depin
import DepinTesting
import Testing

@testable import Previews

@Suite
struct `The Previews example` {
    let example = ExampleProgram("Previews")

    @Test
    func `starts like any app`() throws {
        let run = try example.run()
        let output = try example.outputInREADME(of: "swift run Previews")
        #expect(run == .init(exitStatus: 0, standardOutput: output, standardError: ""))
    }

    @Test
    func `starts as its arguments say`() throws {
        let run = try example.run("--offline", "--language", "fr", "--now", "9:41")
        let output = try example.outputInREADME(
            of: "swift run Previews --offline --language fr --now 9:41"
        )
        #expect(run == .init(exitStatus: 0, standardOutput: output, standardError: ""))
    }

    @Test(
        .assemblies {
            ForecastAssembly()
            OfflineAssembly()
        },
        .space(\.now, { "12:00" })
    )
    func `has a screen that tests replace services of`() {
        #expect(ForecastScreen().text == "12:00 You are offline")
    }

    @Test
    func `a preview sets its services before its view is made`() async {
        await #expect(processExitsWith: .success) {
            SpaceValues.updateShared {
                $0.dependenciesAssembler = Assembler([ForecastAssembly(), OfflineAssembly()])
            }
            #expect(ForecastScreen().text.hasSuffix("You are offline"))
        }
    }
}
