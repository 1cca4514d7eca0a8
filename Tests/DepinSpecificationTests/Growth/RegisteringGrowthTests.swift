import Depin
import Testing

private final class Part: Sendable {}

private struct PartAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Part.self) { Part() }.inObjectScope(.container)
        container.decorate(Part.self) { _, inner in inner }
        container.contribute(Part.self, name: "one") { Part() }
    }
}

extension Growth {
    /// Registering, decorating and contributing cost as much as there is of them.
    @Suite struct `of registering` {
        @Test func `of many replacements that are meant`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("overriding names", from: 300) { count in
                    {
                        let container = Container()
                        for _ in 0..<2 {
                            for number in 0..<count {
                                container.register(Part.self, name: "\(number)") { Part() }
                                    .overriding()
                            }
                        }
                    }
                }
            }
        }

        @Test func `of many defaults`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("defaults", from: 300) { count in
                    {
                        let container = Container()
                        for number in 0..<count {
                            container.register(Part.self, name: "\(number)") { Part() }
                                .asDefault()
                        }
                    }
                }
            }
        }

        @Test func `of containers that forward to one registration`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("forwarding containers", from: 2_000) { count in
                    let parent = Container()
                    let entry = parent.register(Part.self) { Part() }
                    return {
                        let children = (0..<count).map { _ in Container(parent: parent) }
                        for child in children { child.forward(AnyObject.self, to: entry) }
                    }
                }
            }
        }

        @Test func `of decorators of many names`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("decorating names", from: 100) { count in
                    {
                        let container = Container()
                        for number in 0..<count {
                            container.register(Part.self, name: "\(number)") { Part() }
                            container.decorate(Part.self, name: "\(number)") { _, inner in inner }
                        }
                        for number in 0..<count { use(container ~> (Part.self, name: "\(number)")) }
                    }
                }
            }
        }

        @Test func `of decorators of many names, before the registrations`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("decorating names", from: 300) { count in
                    {
                        let container = Container()
                        for number in 0..<count {
                            container.decorate(Part.self, name: "\(number)") { _, inner in inner }
                        }
                        for number in 0..<count {
                            container.register(Part.self, name: "\(number)") { Part() }
                        }
                        for number in 0..<count { use(container ~> (Part.self, name: "\(number)")) }
                    }
                }
            }
        }

        @Test func `of decorators of one service`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("decorating one", from: 500) { count in
                    {
                        let container = Container()
                        container.register(Int.self) { 0 }
                        for _ in 0..<count {
                            container.decorate(Int.self) { _, inner in inner + 1 }
                        }
                        expect((container ~> Int.self) == count, "not all of them")
                    }
                }
            }
        }

        @Test func `of one service with very many decorators`() async {
            await #expect(processExitsWith: .success) {
                let container = Container()
                container.register(Int.self) { 0 }
                for _ in 0..<100_000 { container.decorate(Int.self) { _, inner in inner + 1 } }
                expect((container ~> Int.self) == 100_000, "not all of them")
                let later = try await container.requireAsync(Int.self)
                expect(later == 100_000, "not all of them")
            }
        }

        @Test func `of one service with very many callbacks`() async {
            await #expect(processExitsWith: .success) {
                let (container, count) = (Container(), CallCount())
                let entry = container.register(Part.self) { Part() }
                for _ in 0..<100_000 { entry.initCompleted { _, _ in count.add() } }
                use(container ~> Part.self)
                expect(count.count == 100_000, "\(count.count)")
            }
        }

        @Test func `of contributions to one collection`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("contributing", from: 500) { count in
                    {
                        let container = Container()
                        for _ in 0..<count { container.contribute(Part.self) { Part() } }
                        expect((container ~> [Part].self).count == count, "not all of them")
                    }
                }
            }
        }

        @Test func `of decorators of many contributed instances`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("decorating contributed instances", from: 300) { count in
                    {
                        let container = Container()
                        for number in 0..<count {
                            container.contribute(Part.self, name: "\(number)", instance: Part())
                        }
                        for number in 0..<count {
                            container.decorate(Part.self, name: "\(number)") { _, inner in inner }
                        }
                    }
                }
            }
        }

        @Test func `of contributions with names to a dictionary`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("contributing names", from: 500) { count in
                    {
                        let container = Container()
                        for number in 0..<count {
                            container.contribute(Part.self, name: "\(number)") { Part() }
                        }
                        expect((container ~> [String: Part].self).count == count, "not all of them")
                    }
                }
            }
        }

        @Test func `of contributions with names in an override`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("contributing to an override", from: 200) { count in
                    {
                        func contribute(to container: Container) {
                            for number in 0..<count {
                                container.contribute(Part.self, name: "\(number)") { Part() }
                            }
                        }
                        withSpace(overriding: contribute) {
                            let container = SpaceValues.current.dependenciesContainer
                            expect((container ~> [Part].self).count == count, "not all of them")
                        }
                    }
                }
            }
        }

        @Test func `of one assembly that is applied again`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("applying again", from: 40) { count in
                    {
                        let assembler = Assembler()
                        for _ in 0..<count { assembler.apply(assembly: PartAssembly()) }
                        use(assembler.resolver ~> Part.self)
                    }
                }
            }
        }

        @Test(.enabled(if: bytesInUse() > 0 && !isSanitized))
        func `of what one assembly keeps that is applied again`() async {
            await #expect(processExitsWith: .success) {
                struct Plain: Assembly {
                    func assemble(container: Container) {
                        container.register(Part.self) { Part() }.inObjectScope(.container)
                    }
                }
                let assembler = Assembler()
                for _ in 0..<200 { assembler.apply(assembly: Plain()) }
                let before = bytesInUse()
                for _ in 0..<1000 { assembler.apply(assembly: Plain()) }
                let more = bytesInUse() - before
                expect(more < 32 * 1024, "\(more) bytes more")
            }
        }
    }
}
