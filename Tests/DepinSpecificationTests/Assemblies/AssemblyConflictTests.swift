import Depin
import DepinInspection
import Testing

private struct Yin: Assembly {
    var replaces: [any Assembly.Type] { [Yang.self] }
    func assemble(container: Container) { container.register(String.self) { "yin" } }
}

private struct Yang: Assembly {
    var replaces: [any Assembly.Type] { [Yin.self] }
    func assemble(container: Container) { container.register(String.self) { "yang" } }
}

private struct First: Assembly {
    var replaces: [any Assembly.Type] { [Second.self] }
    func assemble(container: Container) {}
}

private struct Second: Assembly {
    var replaces: [any Assembly.Type] { [Third.self] }
    func assemble(container: Container) {}
}

private struct Third: Assembly {
    var replaces: [any Assembly.Type] { [First.self] }
    func assemble(container: Container) {}
}

private struct Needing: Assembly {
    var requires: [any Assembly] { [Yin(), Yang()] }
    func assemble(container: Container) {}
}

private struct Configured: Assembly, Equatable {
    let number: Int
    func assemble(container: Container) {}
}

private struct Configuring: Assembly {
    let number: Int
    var requires: [any Assembly] { [Configured(number: number)] }
    func assemble(container: Container) {}
}

/// What was given to an assembler that cannot be applied.
struct `A conflict of assemblies` {
    @Test func `is two that replace each other`() throws {
        let error = try #require(throws: AssemblyConflict.self) {
            _ = try Assembler(assemblies: [Yin(), Yang()])
        }
        #expect(error.description.contains("Yin"))
        #expect(error.description.contains("Yang"))
        #expect(error.description.contains("replace"))
    }

    @Test func `is three that replace each other in a circle`() {
        #expect(throws: AssemblyConflict.self) {
            _ = try Assembler(assemblies: [First(), Second(), Third()])
        }
    }

    @Test func `is two that are required and replace each other`() {
        #expect(throws: AssemblyConflict.self) { _ = try Assembler(assemblies: [Needing()]) }
    }

    @Test func `is two that replace each other, one of which came before`() {
        let parent = Assembler { Yin() }
        #expect(throws: AssemblyConflict.self) {
            _ = try Assembler(assemblies: [Yang()], parentAssembler: parent)
        }
    }

    @Test func `is not one that is replaced by another`() throws {
        let assembler = try Assembler(assemblies: [Second(), Third()])
        #expect(assembler.appliedAssemblies.types.count == 1)
    }

    @Test func `names the line that applies them`() throws {
        let both: [any Assembly] = [Configuring(number: 1), Configured(number: 2)]
        // Inside a macro each line is the macro's.
        func apply() throws { use(try Assembler(assemblies: both)) }
        let line = #line - 1
        let error = try #require(throws: AssemblyConflict.self) { try apply() }
        #expect(error.description.contains("AssemblyConflictTests.swift:\(line)"), "\(error)")
    }

    @Test(arguments: ["apply", "builder", "init", "replacing"])
    func `names the line that applies them where it stops the program`(_ way: String)
        async throws
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [way] in
            let both: [any Assembly] = [Configuring(number: 1), Configured(number: 2)]
            switch way {
            case "apply": Assembler().apply(assemblies: both)
            case "builder": Assembler().apply { both }
            case "init": use(Assembler(both))
            default: Assembler().apply(assemblies: [Yin(), Yang()])
            }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("Configured") || message.contains("Yin"), "\(message)")
        #expect(message.contains("AssemblyConflictTests.swift:"), "\(message)")
    }
}
