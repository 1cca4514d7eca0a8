import Depin
import DepinTesting
import Testing

/// What a validation says of those who take a `ServiceFactory` or a `Scoped`.
struct `A validation of a ServiceFactory and a Scoped` {
    private let container = Container()

    // MARK: - ServiceFactory

    @Test func `finds no problem where somebody takes the arguments`() throws {
        container.register(Page.self) { (_, number: Int) in Page(number) }
        container.autoregister(Shelf.self, initializer: Shelf.init)
        let report = try container.validate(.init(injected: properties(of: "PageScreen")))
        #expect(report.problems.isEmpty)
        #expect(report.unknownProperties.isEmpty)
        #expect(report.propertyCount == 2)
        #expect(report.graph.edges.map(\.isDeferred) == [true, true])
    }

    @Test func `finds arguments that nobody takes, with the near misses`() throws {
        container.register(Page.self) { (_, text: String) in Page(text.count) }
        container.autoregister(Shelf.self, initializer: Shelf.init)
        #expect(
            try problems(properties(of: "PageScreen")) == [
                """
                missing: nothing is registered for ServiceFactory<Page, Int>
                  needed by, outermost first:
                    Shelf, registered at _
                  fix: request ServiceFactory<Page, String>, registered at _
                   or: register Page with (Int): ServiceFactory<Page, Int> comes with it
                """,
                """
                missing: nothing is registered for ServiceFactory<Page, Int>
                  requested by @Injected PageScreen.pages: ServiceFactory<Page, Int>
                  fix: request ServiceFactory<Page, String>, registered at _
                   or: register Page with (Int): ServiceFactory<Page, Int> comes with it
                """,
            ]
        )
    }

    @Test func `finds a property of a service that takes arguments`() throws {
        container.register(Page.self) { (_, text: String) in Page(text.count) }
        #expect(
            try problems(properties(of: "PlainScreen")) == [
                """
                missing: nothing is registered for Page
                  requested by @Injected PlainScreen.page: Page
                  fix: request ServiceFactory<Page, String>, registered at _
                """
            ]
        )
    }

    @Test func `cannot know which name a property has`() throws {
        container.register(Page.self, name: "odd") { (_, number: Int) in Page(number) }
        let report = try container.validate(.init(injected: properties(of: "PageScreen")))
        #expect(
            report.unknownProperties.map(\.reason) == [
                "registered under \"odd\"; the name is not checked"
            ]
        )
    }

    @Test func `lets a factory await what takes time`() throws {
        container.register(Page.self, asyncFactory: { (_, number: Int) in Page(number) })
        container.autoregister(Shelf.self, initializer: Shelf.init)
        let report = try container.validate(.init(injected: properties(of: "PageScreen")))
        #expect(report.problems.isEmpty)
    }

    @Test func `lets a singleton take a factory of what an open scope has`() throws {
        container.register(Page.self) { (_, number: Int) in Page(number) }.inObjectScope(.work)
        container.autoregister(Shelf.self, initializer: Shelf.init).inObjectScope(.container)
        #expect(try problems([]).filter { $0.hasPrefix("captive") }.isEmpty)
    }

    // MARK: - Scoped

    @Test func `finds no problem where the scope opens`() throws {
        container.register(Page.self) { Page(1) }.inObjectScope(.work)
        container.autoregister(Janitor.self, initializer: Janitor.init).inObjectScope(.container)
        let report = try container.validate(.init(injected: properties(of: "ScopedScreen")))
        #expect(report.problems.isEmpty)
    }

    @Test func `finds a Scoped of a service that is in no opened scope`() throws {
        container.register(Page.self) { Page(1) }
        container.autoregister(Janitor.self, initializer: Janitor.init)
        container.register(Guard.self) { r in Guard(pages: try r.require(Scoped<Page>.self)) }
        let fix = """
              fix: give Page the scope that should open: `.inObjectScope(…)` with an ObjectScope(opened:)
               or: take a Provider<Page> instead, if it needs no scope
            """
        let headline =
            "notOpened: Scoped<Page> opens a scope for Page, which is in scope graph and not in one that opens and closes"
        let problems = try problems(properties(of: "ScopedScreen"))
        #expect(
            problems == [
                """
                \(headline)
                  registered at _
                  needed by, outermost first:
                    Janitor, registered at _
                \(fix)
                """,
                """
                \(headline)
                  registered at _
                  requested by @Injected ScopedScreen.pages: Scoped<Page>
                \(fix)
                """,
                """
                \(headline)
                  registered at _
                  requested by require at _
                  needed by, outermost first:
                    Guard, registered at _
                \(fix)
                """,
            ]
        )
    }

    @Test func `finds a Scoped of what nobody registers`() throws {
        #expect(
            try problems(properties(of: "ScopedScreen")) == [
                """
                missing: nothing is registered for Scoped<Page>
                  requested by @Injected ScopedScreen.pages: Scoped<Page>
                  fix: nothing at all is registered here: apply the assemblies first
                   or: register Page: Scoped<Page> comes with it
                """
            ]
        )
    }

    // MARK: -

    private func properties(of owner: String) -> [InjectedProperty] {
        InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"]).filter { $0.owner == owner }
    }

    private func problems(_ injected: [InjectedProperty]) throws -> [String] {
        do {
            let report = try container.validate(.init(injected: injected))
            return report.problems.map(words)
        } catch let error as ValidationError {
            return error.problems.map(words)
        }
    }

    private func words(_ problem: ValidationReport.Problem) -> String {
        "\(problem.kind): \(problem.description.replacing(#/at \S+\.swift:\d+/#, with: "at _"))"
    }
}

extension ObjectScope {
    fileprivate static let work = ObjectScope(opened: "work")
}

// Nothing makes the screens: an optimized build would leave them out if they were private.

final class Page: Sendable {
    init(_ number: Int) {}
}

struct Shelf: Sendable {
    let pages: ServiceFactory<Page, Int>
}

struct Janitor: Sendable {
    let pages: Scoped<Page>
}

struct Guard: Sendable {
    let pages: Scoped<Page>
}

struct PageScreen {
    @Injected var pages: ServiceFactory<Page, Int>
    @Injected var optional: ServiceFactory<Page, Double>?
}

struct PlainScreen {
    @Injected var page: Page
}

struct ScopedScreen {
    @Injected var pages: Scoped<Page>
}
