import Depin
import DepinInspection
import Testing

private protocol Tracker: Sendable {}
private final class ConsoleTracker: Tracker {}
private struct TrackerBoard: Sendable {
    init(all: [any Tracker]) {}
}
private struct Album: Sendable {
    init(id: Int) {}
}

/// An assembly as one that is listed twice by mistake.
private struct TrackingAssembly: Assembly {
    func assemble(container: Container) {
        container.register((any Tracker).self) { ConsoleTracker() }
        container.decorate((any Tracker).self) { _, inner in inner }
    }
}

/// Another one, which registers nothing that could replace itself.
private struct DecoratingAssembly: Assembly {
    func assemble(container: Container) {
        if !container.hasAnyRegistration(of: (any Tracker).self) {
            container.register((any Tracker).self) { ConsoleTracker() }
        }
        container.decorate((any Tracker).self) { _, inner in inner }
        container.contribute((any Tracker).self) { ConsoleTracker() }
    }
}

private struct RequiringAssembly: Assembly {
    var requires: [any Assembly] { [DecoratingAssembly()] }

    func assemble(container: Container) {}
}

/// One that begins anew, and applies another one itself.
private struct RestartingAssembly: Assembly {
    func assemble(container: Container) {
        container.removeAll()
        Assembler(container: container).apply { DecoratingAssembly() }
    }
}

/// What a validation advises leads to the mistake.
struct `The advice of a validation` {
    private let container = Container()

    @Test func `about an assembly that is listed twice names its line once`() throws {
        Assembler(container: container).apply {
            TrackingAssembly()
            TrackingAssembly()
        }
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.silentOverwrite])
        try Golden("validation with an assembly that is listed twice").check("\(error)")
    }

    @Test func `about an assembly that is listed twice names what it doubles`() throws {
        Assembler(container: container).apply {
            DecoratingAssembly()
            DecoratingAssembly()
        }
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.silentOverwrite])
        try Golden("validation with an assembly that is listed twice and only decorates")
            .check("\(error)")
    }

    @Test func `is silent about one that is required and listed, or decorates in a loop`() throws {
        container.register((any Tracker).self) { ConsoleTracker() }
        for _ in 0..<2 { container.decorate((any Tracker).self) { _, inner in inner } }
        Assembler(container: container).apply {
            RequiringAssembly()
            DecoratingAssembly()
        }
        #expect(try container.validate().problems.isEmpty)
    }

    @Test func `is silent about one that another one applies, which has removed all`() throws {
        Assembler(container: container).apply { RestartingAssembly() }
        #expect(try container.validate().problems.isEmpty)
    }

    @Test func `about an empty collection names what is registered instead`() throws {
        container.register((any Tracker).self, name: "console") { ConsoleTracker() }
        container.autoregister(TrackerBoard.self, initializer: TrackerBoard.init)
        try Golden("validation with a registration in the place of a contribution")
            .check("\(container.validate())")
    }

    @Test func `about a decorator of a concrete type names the type that is registered`() throws {
        container.register((any API).self) { LiveAPI() }
        container.decorate(LiveAPI.self) { _, inner in inner }
        try Golden("validation with a decorator of a concrete type").check(
            "\(container.validate())"
        )
    }

    @Test func `about what cannot be warmed up says why`() throws {
        container.register((any Tracker).self) { ConsoleTracker() }.eager()
        container.register(Album.self) { (_: any Resolver, id: Int) in Album(id: id) }
            .inObjectScope(.container).eager()
        container.register(TrackerBoard.self) { TrackerBoard(all: []) }.inObjectScope(.container)
            .eager()
        let request = ObjectScope(opened: "request")
        container.register(TrackerBoard.self, name: "request") { TrackerBoard(all: []) }
            .inObjectScope(request).eager()
        let report = try container.validate(.init(ignoring: [.ignoredArguments]))
        #expect(report.problems.map(\.kind) == [.idleEager, .idleEager, .idleEager])
        try Golden("validation with eager services that cannot be kept").check("\(report)")
        let inScope = try container.validate(.init(open: [request], ignoring: [.ignoredArguments]))
        #expect(inScope.problems.count == 2)
    }

    @Test func `does not list what is eager or declared to be needed`() throws {
        container.register((any Tracker).self) { ConsoleTracker() }.inObjectScope(.container)
            .eager()
        container.autoregister(TrackerBoard.self, initializer: TrackerBoard.init)
        container.contribute((any Tracker).self) { ConsoleTracker() }
        container.register(Int.self) { 1 }
        let report = try container.validate(.init(roots: [Int.self]))
        #expect(report.unreached.map { "\($0.request)" } == ["TrackerBoard"])
    }
}
