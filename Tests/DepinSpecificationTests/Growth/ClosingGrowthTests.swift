import Depin
import Testing

private final class Part: Sendable {
    let needed: Part?
    init(_ needed: Part? = nil) { self.needed = needed }
}

extension Growth {
    /// Closing costs as much as there is to close.
    @Suite struct `of closing` {
        @Test func `of many singletons`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("closing singletons", from: 500) { count in
                    let container = Container()
                    for number in 0..<count {
                        container.register(Part.self, name: "\(number)") { Part() }
                            .inObjectScope(.container).onClose { _ in }
                        use(container ~> (Part.self, name: "\(number)"))
                    }
                    return { try await container.close() }
                }
            }
        }

        @Test func `of many singletons that each need another`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("closing a chain", from: 500) { count in
                    let container = Container()
                    container.register(Part.self, name: "0") { Part() }
                        .inObjectScope(.container).onClose { _ in }
                    for number in 1..<count {
                        container.register(Part.self, name: "\(number)") { r in
                            Part(r ~> (Part.self, name: "\(number - 1)"))
                        }
                        .inObjectScope(.container).onClose { _ in }
                        use(container ~> (Part.self, name: "\(number)"))
                    }
                    return { try await container.close() }
                }
            }
        }

        @Test func `of many singletons that need the same one`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("closing a star", from: 500) { count in
                    let container = Container()
                    container.register(Part.self) { Part() }.inObjectScope(.container).onClose {
                        _ in
                    }
                    for number in 0..<count {
                        container.register(Part.self, name: "\(number)") { r in
                            Part(r ~> Part.self)
                        }
                        .inObjectScope(.container)
                        .onClose { _ in await Task.yield() }
                        use(container ~> (Part.self, name: "\(number)"))
                    }
                    return { try await container.close() }
                }
            }
        }

        @Test func `of many unshared instances`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("closing unshared instances", from: 500) { count in
                    let container = Container()
                    container.register(Part.self) { Part() }.inObjectScope(.transient).onClose {
                        _ in
                    }
                    for _ in 0..<count { use(container ~> Part.self) }
                    return { try await container.close() }
                }
            }
        }

        @Test func `of many instances for arguments`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("closing for arguments", from: 500) { count in
                    let container = Container()
                    container.register(Part.self) { (_: any Resolver, _: Int) in Part() }
                        .inObjectScope(.container.perArguments).onClose { _ in }
                    for number in 0..<count { use(container ~> (Part.self, argument: number)) }
                    return { try await container.close() }
                }
            }
        }

        @Test func `of many open scopes`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("closing scopes", from: 500) { count in
                    let container = Container()
                    container.register(Part.self) { Part() }.inObjectScope(.request).onClose { _ in
                    }
                    let scopes = (0..<count).map { _ in container.openScope(.request) }
                    for scope in scopes { use(scope ~> Part.self) }
                    return {
                        try await container.close()
                        use(scopes)
                    }
                }
            }
        }

        enum Way: String, CaseIterable, Codable {
            case closing, resetting
        }

        @Test(arguments: Way.allCases)
        func `of the instances of a scope that each need several others`(_ way: Way) async {
            await #expect(processExitsWith: .success) { [way] in
                try await expectGrowth("\(way) a web", from: 100) { count in
                    let container = Container()
                    for number in 0..<count {
                        container.register(Part.self, name: "\(number)") { r in
                            for needed in 1...8 where number >= needed * needed {
                                use(r ~> (Part.self, name: "\(number - needed * needed)"))
                            }
                            return Part()
                        }
                        .inObjectScope(.container).onClose { _ in }
                        use(container ~> (Part.self, name: "\(number)"))
                    }
                    return {
                        switch way {
                        case .closing: try await container.close(.container)
                        case .resetting: container.resetObjectScope(.container)
                        }
                    }
                }
            }
        }

        @Test func `of one service with very many closers`() async {
            await #expect(processExitsWith: .success) {
                let (container, closed) = (Container(), CallCount())
                let entry = container.register(Part.self) { Part() }.inObjectScope(.container)
                for number in 0..<100_000 {
                    if number.isMultiple(of: 2) {
                        entry.onClose { _ in closed.add() }
                    } else {
                        entry.onClose { _ in
                            await Task.yield()
                            closed.add()
                        }
                    }
                }
                use(container ~> Part.self)
                try await container.close()
                expect(closed.count == 100_000, "\(closed.count)")
            }
        }
    }
}
