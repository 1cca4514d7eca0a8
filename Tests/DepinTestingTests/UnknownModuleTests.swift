import Depin
import DepinTesting
import Testing

final class Listed: Sendable {}

// Not private: an optimized build would leave it out.
struct ListedScreen {
    @Injected var listed: Listed
}

/// What would turn the check of properties off in silence.
struct `A check of properties` {
    private let container = Container()

    private func message(_ properties: [InjectedProperty]) -> String? {
        do {
            try container.validate(.init(injected: properties))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `fails where a module is not in the program`() throws {
        let unknown = InjectedProperty.ofThisProgram(modules: ["DepinTestingTest"])
        let text = try #require(message(unknown))
        #expect(text.contains("no type of this program is in a module named DepinTestingTest"))
        #expect(text.contains("fix: correct the name in `ofThisProgram(modules:)`"))
        // A module without such properties is one all the same.
        #expect(message(InjectedProperty.ofThisProgram(modules: ["Depin"])) == nil)
    }

    @Test func `fails where a service is only contributed to, under a name`() throws {
        withExtendedLifetime(ListedScreen()) {}
        let properties = InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"])
            .filter { $0.owner == "ListedScreen" }
        try #require(properties.count == 1)
        container.contribute(Listed.self, name: "first") { Listed() }
        #expect(message(properties)?.contains("fix: request [Listed]") == true)
        container.register(Listed.self, name: "second") { Listed() }
        #expect(message(properties) == nil)
    }

    @Test func `names the assemblies that were not applied, where a service is missing`() throws {
        let properties = InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"])
            .filter { $0.owner == "ListedScreen" }
        let assembler = Assembler(container: container)
        assembler.apply(OtherAssembly())
        let text = try #require(message(properties))
        let line = text.split(separator: "\n").first { $0.contains("that were not applied") }
        #expect(line?.contains("ListedAssembly") == true, "\(text)")
        #expect(line?.contains("OtherAssembly") == false, "\(text)")
        assembler.apply(ListedAssembly())
        let report = try container.validate(.init(injected: properties))
        #expect(report.unappliedAssemblies == [])
    }
}

struct ListedAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Listed.self) { Listed() }
    }
}

struct OtherAssembly: Assembly {
    func assemble(container: Container) {}
}
