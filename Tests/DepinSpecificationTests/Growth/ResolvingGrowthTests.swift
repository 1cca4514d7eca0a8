import Depin
import Testing

private final class Part: Sendable {}

/// Hashes as every other one.
private struct Alike: Hashable, Sendable {
    let number: Int
    let compared: CallCount

    static func == (one: Alike, other: Alike) -> Bool {
        one.compared.add()
        return one.number == other.number
    }

    func hash(into hasher: inout Hasher) {}
}

extension Growth {
    @Suite struct `of resolving` {
        @Test func `of a chain of services that take time`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("an asynchronous chain", from: 100) { count in
                    let container = Container()
                    container.register(Part.self, name: "0", asyncFactory: { Part() })
                    for number in 1..<count {
                        container.register(
                            Part.self,
                            name: "\(number)",
                            asyncFactory: { r in
                                try await r.requireAsync(Part.self, name: "\(number - 1)")
                            }
                        )
                    }
                    return {
                        use(try await container.requireAsync(Part.self, name: "\(count - 1)"))
                    }
                }
            }
        }

        @Test func `of a chain of shared services that take time`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("an asynchronous chain of singletons", from: 100) { count in
                    let container = Container(defaultObjectScope: .container)
                    container.register(Part.self, name: "0", asyncFactory: { Part() })
                        .onClose { _ in }
                    for number in 1..<count {
                        container.register(
                            Part.self,
                            name: "\(number)",
                            asyncFactory: { r in
                                await Task.yield()
                                return try await r.requireAsync(Part.self, name: "\(number - 1)")
                            }
                        )
                        .onClose { _ in }
                    }
                    return {
                        use(try await container.requireAsync(Part.self, name: "\(count - 1)"))
                    }
                }
            }
        }

        @Test func `of arguments that are not a number`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("arguments that are NaN", from: 200) { count in
                    let container = Container()
                    container.register(Part.self) { (_: any Resolver, _: Double) in Part() }
                    container.register([Part].self) { r in
                        (0..<count).map { _ in r ~> (Part.self, argument: Double.nan) }
                    }
                    return { expect((container ~> [Part].self).count == count, "not all") }
                }
            }
        }

        /// Each must be compared with all others that hash alike, and is no more than once or twice.
        @Test(.timeLimit(.minutes(5)), arguments: ["graph", "perArguments", "kept graph"])
        func `of arguments that hash alike`(_ way: String) {
            let (container, compared) = (Container(), CallCount())
            let count = 200
            container.register(Part.self) { (_: any Resolver, _: Alike) in Part() }
                .inObjectScope(way == "perArguments" ? .container.perArguments : .graph)
            let arguments = (0..<count).map { Alike(number: $0, compared: compared) }
            if way == "kept graph" {
                let graph = GraphIdentifier()
                let parts = arguments.map { argument in
                    container.withObjectGraph(graph) { $0 ~> (Part.self, argument: argument) }
                }
                use(parts)
            } else {
                container.register([Part].self) { r in
                    arguments.map { r ~> (Part.self, argument: $0) }
                }
                use(container ~> [Part].self)
            }
            #expect(compared.count <= 2 * count * count, "\(compared.count)")
        }

        @Test(.enabled(if: bytesInUse() > 0 && !isSanitized))
        func `of what a kept graph keeps that is asked with ever new arguments`() async {
            await #expect(processExitsWith: .success) {
                let container = Container()
                container.register(Part.self) { (_: any Resolver, _: Int) in Part() }
                let graph = GraphIdentifier()
                func ask(_ numbers: Range<Int>) {
                    for number in numbers {
                        container.withObjectGraph(graph) {
                            use($0 ~> (Part.self, argument: number))
                        }
                    }
                }
                ask(0..<1000)
                let before = bytesInUse()
                ask(1000..<50_000)
                let more = bytesInUse() - before
                expect(more < 64 * 1024, "\(more) bytes more")
            }
        }
    }
}
