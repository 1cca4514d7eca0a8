import Depin
import DepinInspection
import Foundation
import Testing

private final class Part: Sendable {}
private final class Other: Sendable {}
private struct Failed: Error {}

/// What a person reads before giving up.
private func isPage(_ text: String) -> Bool {
    text.count <= 12_000 && text.split(separator: "\n").count <= 100
}

private func name(_ number: Int) -> String { "service \(number)" }

extension Growth {
    @Suite struct `of messages` {
        private let container = Container()

        private func expectPage(
            _ attempt: () throws -> some Any,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            do {
                use(try attempt())
                Issue.record("nothing is wrong", sourceLocation: sourceLocation)
            } catch {
                let text = "\(error)"
                #expect(
                    isPage(text),
                    "\(text.count) characters, \(text.split(separator: "\n").count) lines",
                    sourceLocation: sourceLocation
                )
            }
        }

        /// Registers services each of which needs the next one.
        private func registerChain(_ count: Int) {
            for number in 0..<count {
                container.register(Part.self, name: name(number)) { r in
                    try r.require(Part.self, name: name(number + 1))
                }
            }
        }

        @Test func `of a miss at the end of a long path`() {
            registerChain(500)
            expectPage { try container.require(Part.self, name: name(0)) }
        }

        @Test func `of a long circle`() {
            registerChain(500)
            container.register(Part.self, name: name(500)) { r in
                try r.require(Part.self, name: name(0))
            }
            expectPage { try container.require(Part.self, name: name(0)) }
        }

        @Test func `of a factory that throws at the end of a long path`() {
            registerChain(500)
            container.register(Part.self, name: name(500)) { throw Failed() }
            expectPage { try container.require(Part.self, name: name(0)) }
        }

        @Test func `of a long path of services that take time`() async {
            for number in 0..<200 {
                container.register(
                    Part.self,
                    name: name(number),
                    asyncFactory: { r in
                        try await r.requireAsync(Part.self, name: name(number + 1))
                    }
                )
            }
            do {
                use(try await container.requireAsync(Part.self, name: name(0)))
                Issue.record("nothing is wrong")
            } catch {
                #expect(isPage("\(error)"))
            }
        }

        @Test func `of what is registered under very many names`() {
            for number in 0..<2000 {
                container.register(Part.self, name: name(number)) { Part() }
                container.register(Part.self, name: "part \(number)") { (_: any Resolver, _: Int) in
                    Part()
                }
            }
            expectPage { try container.require(Part.self) }
            expectPage { try container.require(Part.self, name: "servise 1") }
        }

        @Test func `of very many closers that failed`() async {
            for number in 0..<1000 {
                container.register(Part.self, name: name(number)) { Part() }
                    .inObjectScope(.container).onClose { _ in throw Failed() }
                use(container ~> (Part.self, name: name(number)))
            }
            do {
                try await container.close()
                Issue.record("nothing is wrong")
            } catch {
                #expect((error as? CloseError)?.failures.count == 1000)
                #expect(isPage("\(error)"), "\("\(error)".count) characters")
            }
        }

        @Test func `of very many problems of a validation`() {
            for number in 0..<1000 {
                container.autoregister(Part.self, name: name(number)) { (_: Other) in Part() }
            }
            expectPage { try container.validate() }
        }

        @Test func `of very many closers that no one has run`() async throws {
            let result = await #expect(
                processExitsWith: .success,
                observing: [\.standardErrorContent]
            ) {
                let container = Container()
                for number in 0..<1000 {
                    container.register(Part.self, name: name(number)) { Part() }
                        .inObjectScope(.request).onClose { _ in }
                }
                let scope = container.openScope(.request)
                for number in 0..<1000 { use(scope ~> (Part.self, name: name(number))) }
            }
            let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(text.contains("these closers did not run"))
            #expect(isPage(text), "\(text.count) characters")
        }

        @Test func `of a report costs as much as it has`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("the text of a report", from: 100) { count in
                    let container = Container()
                    for number in 0..<count {
                        container.autoregister(Part.self, name: name(number)) { (_: Other) in Part()
                        }
                    }
                    do {
                        try container.validate()
                        fatalError("nothing is wrong")
                    } catch {
                        return { use("\(error)") }
                    }
                }
            }
        }

        @Test func `of a report without problems costs as much as it has`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("the text of a report", from: 100) { count in
                    let container = Container()
                    for number in 0..<count {
                        container.register(Part.self, name: name(number)) { Part() }
                        container.register(Part.self, name: name(number)) {
                            (_: any Resolver, _: Int) in Part()
                        }
                    }
                    let report = try container.validate()
                    return { use(report.description) }
                }
            }
        }

        @Test func `of a validation costs as much as it checks`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("a validation", from: 50) { count in
                    let container = Container()
                    for number in 0..<count {
                        container.register(Part.self, name: name(number)) { r in
                            try r.require(Part.self, name: "missing \(number)")
                        }
                    }
                    return { expect((try? container.validate()) == nil, "nothing is wrong") }
                }
            }
        }

        @Test func `of a miss costs no more where very many scopes are open`() async {
            await #expect(processExitsWith: .success) {
                try await expectGrowth("misses in open scopes", from: 300) { count in
                    let container = Container()
                    let scopes = (0..<count).map { _ in container.openScope(.request) }
                    return { for scope in scopes { use(outcome { try scope.require(Part.self) }) } }
                }
            }
        }
    }
}
