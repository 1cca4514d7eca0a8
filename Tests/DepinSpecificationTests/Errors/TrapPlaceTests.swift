import Depin
import Foundation
import Testing

/// The message of a trap begins with the line of the user's code, in the form of the compiler's own.
struct `The message of a trap begins with` {
    @Test func `the property`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            withSpace(\.dependenciesContainer, Container()) { use(Screen().service) }
        }
        try expect(result, beginsAt: Screen.line)
    }

    @Test func `the property, in a factory`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Screen.self) {
                let screen = Screen()
                use(screen.service)
                return screen
            }
            withSpace(\.dependenciesContainer, container) { use(container ~> Screen.self) }
        }
        try expect(result, beginsAt: Screen.line)
    }

    private static let autoResolveLine: UInt = #line + 1
    private static func autoResolve(_ resolver: any Resolver) -> Service { resolver.autoResolve() }

    @Test func `autoResolve`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            use(Self.autoResolve(Container()))
        }
        try expect(result, beginsAt: Self.autoResolveLine)
        #expect(try Golden.trap(in: result).contains("requested by autoResolve at"))
    }

    @Test func `autoResolve in a factory`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Int.self) {
                use(Self.autoResolve($0))
                return 1
            }
            use(container ~> Int.self)
        }
        try expect(result, beginsAt: Self.autoResolveLine)
    }

    private static let callLine: UInt = #line + 1
    private static func call(_ resolver: any Resolver) -> Service { resolver(Service.self) }

    @Test func `the call of a resolver`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            use(Self.call(Container()))
        }
        try expect(result, beginsAt: Self.callLine)
    }

    @Test func `the call of a resolver in a factory`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Int.self) {
                use(Self.call($0))
                return 1
            }
            use(container(Int.self))
        }
        try expect(result, beginsAt: Self.callLine)
    }

    private static let factoryLine: UInt = #line + 1
    private static func make(_ services: ServiceFactory<Service, Int>) -> Service { services(7) }

    @Test func `the call of a ServiceFactory`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Service.self) { (_, _: Int) in Service() }
            let services = container(ServiceFactory<Service, Int>.self)
            container.unregister(Service.self)
            use(Self.make(services))
        }
        try expect(result, beginsAt: Self.factoryLine, asking: "Service with (Int)")
    }

    private static let requireLine: UInt = #line + 2
    private static func require(_ resolver: any Resolver) throws {
        use(try resolver.require(Service.self))
    }

    @Test func `the require whose error came through`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Int.self) {
                try Self.require($0)
                return 1
            }
            use(container.resolve(Int.self) as Any)
        }
        try expect(result, beginsAt: Self.requireLine)
    }

    private static let registrationLine: UInt = #line + 2
    private static func registerAsker(in container: Container) {
        container.register(Int.self) {
            use($0 ~> Service.self)
            return 1
        }
    }

    @Test func `the registration that asked with an operator`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            Self.registerAsker(in: container)
            container.register(String.self) { "\($0 ~> Int.self)" }
            use(container ~> String.self)
        }
        try expect(result, beginsAt: Self.registrationLine)
    }

    private static let decoratorLine: UInt = #line + 2
    private static func decorate(_ container: Container) {
        container.decorate(Int.self) { resolver, number in
            use(resolver ~> Service.self)
            return number
        }
    }

    @Test func `the decorator that asked with an operator`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Int.self) { 1 }
            Self.decorate(container)
            use(container ~> Int.self)
        }
        try expect(result, beginsAt: Self.decoratorLine)
    }

    @Test func `the library, which names the thread and the task that asked outside any factory`()
        async throws
    {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            Thread.detachNewThread {
                use(Container() ~> Service.self)
            }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        let thread = try Golden.trap(in: result)
        #expect(thread.contains(#/\n  requested outside any factory, on thread \d+\n/#))

        let inTask = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            await Task.detached(name: "refresh") { use(Container() ~> Service.self) }.value
        }
        let task = try Golden.trap(in: inTask)
        #expect(task.contains(#/\n  requested outside .*, in task 0x[0-9a-f]+ "refresh"\n/#))
    }

    private func expect(
        _ result: ExitTest.Result?,
        beginsAt line: UInt,
        asking request: String = "Service",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let message =
            "DepinSpecificationTests/TrapPlaceTests.swift:\(line): Fatal error: Depin: "
            + "nothing is registered for \(request)"
        let lines = text.split(separator: "\n")
        #expect(lines.contains { $0 == message }, "\(text)", sourceLocation: sourceLocation)
        let count = text.ranges(of: "nothing is registered for").count
        #expect(count == 1, "\(text)", sourceLocation: sourceLocation)
    }
}

private final class Service: Sendable {}

private final class Screen {
    static let line: UInt = #line + 1
    @Injected var service: Service
}
