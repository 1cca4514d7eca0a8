import Depin
import Testing

/// A transient service is returned to where it is wanted, whatever room its type takes there.
struct `A transient service` {
    @Test func `of any size is found`() throws {
        try expectFound(Int.min, Int.max, 0)
        try expectFound(UInt8.min, UInt8.max)
        try expectFound(false, true)
        try expectFound("", "a text that is too long for a small string")
        try expectFound(Three(one: .max, two: .min, three: 1))
        try expectFound(Nothing())
        try expectFound([Int](), [1, 2, 3])
    }

    @Test func `that is an optional is found`() throws {
        try expectFound(Int?.none, Int?.some(0), Int?.some(.max))
        try expectFound(Bool?.none, Bool?.some(false), Bool?.some(true))
    }
}

private func expectFound<Service: Equatable & Sendable>(_ services: Service...) throws {
    for service in services {
        let container = Container()
        container.register(Service.self) { service }.inObjectScope(.transient)
        #expect(container.resolve(Service.self) == Optional.some(service))
        #expect(container.synchronize().resolve(Service.self) == Optional.some(service))
        #expect(try container.require(Service.self) == service)
        #expect((container ~> Service.self) == service)
        #expect(container(Service.self) == service)
    }
}

private struct Three: Equatable {
    let one: Int
    let two: Int
    let three: UInt8
}

private struct Nothing: Equatable {}
