import Depin
import DepinInspection
import Testing

extension ObjectScope {
    fileprivate static let visit = ObjectScope(opened: "visit")
}

private final class Customer: Sendable {}
private final class Basket: Sendable {
    init(_: Customer) {}
}
private final class Checkout: Sendable {
    init(_: Basket) {}
}
private final class Letter: Sendable {}
private final class Mailer: Sendable {
    init(_: Checkout) {}
}

/// What a validation finds: its report, or that of its error.
private func report(_ validate: () throws -> ValidationReport) -> ValidationReport? {
    do {
        return try validate()
    } catch {
        return (error as? ValidationError)?.report
    }
}

struct `Validating opened scopes` {
    private let app = Container()
    private let built = EventLog<String>()

    init() {
        app.register(Basket.self) { [built] r in
            built.note("basket")
            return Basket(try r.require(Customer.self))
        }
        .inObjectScope(.visit)
        app.autoregister(Checkout.self, initializer: Checkout.init).inObjectScope(.request)
    }

    @Test func `runs none of their factories where they are not open`() throws {
        app.register(Mailer.self) { r in Mailer(try r.require(Checkout.self)) }
        let report = try app.validate()
        #expect(built.all == [])
        #expect(report.problems.isEmpty)
        let reasons = report.unchecked.map { "\($0.registration.request): \($0.reason)" }
        #expect(
            reasons == [
                "Basket: its scope visit is not open: the option `open` of the validation opens it",
                "Mailer: it needs a service of scope request, which is not open: the option `open` of the validation opens it",
            ]
        )
    }

    @Test func `finds a declared Scoped of what has no scope: a collection or an optional`() throws
    {
        app.contribute(Customer.self) { Customer() }.inObjectScope(.visit)
        app.autoregister(Letter.self) { (_: Scoped<[Customer]>) in Letter() }
        app.autoregister(Letter.self, name: "optional") { (_: Scoped<Basket?>) in Letter() }
        app.autoregister(Letter.self, name: "nil") { (_: Scoped<[Customer]>?) in Letter() }
        let found = report { try app.validate() }?.problems.map(\.kind)
        #expect(found == [.missing, .missing])
        // As when it is requested.
        for name in [nil, "optional"] {
            let error = #expect(throws: ResolutionError.self) {
                try app.require(Letter.self, name: name)
            }
            #expect(error?.reason == .notRegistered)
        }
        _ = try app.require(Letter.self, name: "nil")
    }

    @Test func `runs none of their factories again that was left behind`() {
        app.register(Basket.self) { [built] r in
            built.note("basket")
            return Basket(r ~> Customer.self)
        }
        .inObjectScope(.visit).overriding()
        app.register(Mailer.self) { r in Mailer(r ~> Checkout.self) }.inObjectScope(.request)
        app.register(Mailer.self, name: "second") { r in Mailer(r ~> Checkout.self) }
            .inObjectScope(.request)
        let problems = report { try app.validate(.init(open: [.visit, .request])) }?.problems
        #expect(problems?.map(\.kind) == [.missing])
        #expect(built.all == ["basket"])
    }

    @Test func `builds them in open scopes, with stand-ins for the seeds`() throws {
        let report = try app.validate(.init(open: [.visit, .request])) {
            $0.register(Customer.self, instance: Customer())
        }
        #expect(built.all == ["basket"])
        #expect(report.problems.isEmpty)
        #expect(report.unchecked.isEmpty)
    }

    @Test func `finds a seed that is missing, unless it is provided`() throws {
        let missing = report { try app.validate(.init(open: [.visit, .request])) }
        #expect(missing?.errors.map(\.kind) == [.missing])
        #expect(missing?.errors.first?.error?.request.serviceType == Customer.self)
        let provided = try app.validate(
            .init(open: [.visit, .request], providing: [Customer.self])
        )
        #expect(provided.problems.isEmpty)
    }

    @Test func `names what may be a seed, and how to stand in for it`() throws {
        app.unregister(Basket.self)
        app.autoregister(Basket.self, initializer: Basket.init).inObjectScope(.visit)
        let closed = try #require(report { try app.validate() })
        try Golden("validation with a seed of a scope that is not open").check("\(closed)")
        let advice =
            "if only scope visit knows it, it is a seed: open the scope in the validation,"
        #expect("\(closed)".contains(advice))
        let open = try #require(report { try app.validate(.init(open: [.visit])) })
        #expect("\(open)".contains(advice))
        #expect(!"\(open)".contains("DepinInspection/"))
    }

    @Test func `tells of a seed that a factory did not find, and not where a validation opens`() {
        let found = report { try app.validate(.init(open: [.visit])) }
        #expect(found?.errors.count == 1)
        #expect(
            found.map { "\($0)".contains("if only scope visit knows it, it is a seed") } == true
        )
        #expect(found.map { "\($0)".contains("DepinInspection/") } == false)
    }

    @Test func `finds what is shared weakly and would keep a service of theirs`() throws {
        app.autoregister(Mailer.self, initializer: Mailer.init).inObjectScope(.weak)
        let closed = report { try app.validate() }
        #expect(closed?.errors.map(\.kind) == [.captive])
        let open = report {
            try app.validate(.init(open: [.visit, .request], providing: [Customer.self]))
        }
        #expect(open?.errors.map(\.kind) == [.captive])
    }

    @Test func `has stand-ins replace what the app registers`() throws {
        app.register(Customer.self) {
            Issue.record("the live one was built")
            return Customer()
        }
        .inObjectScope(.container)
        let report = try app.validate(.init(open: [.visit, .request])) {
            $0.register(Customer.self, instance: Customer())
        }
        #expect(report.problems.isEmpty)
    }

    @Test(arguments: [[], [ObjectScope.visit, .request]])
    func `lets what is shared use a scope that it opens itself`(open: [ObjectScope]) async throws {
        app.register(Customer.self) { Customer() }
        app.register(Int.self) { r in
            let scope = (r ~> Container.self).openScope(.visit).openScope(.request)
            use(scope ~> Checkout.self)
            scope.register(String.self) { r in "\(r ~> Basket.self)" }.inObjectScope(.transient)
            return (scope ~> String.self).count
        }
        .inObjectScope(.container)
        app.register(
            Mailer.self,
            asyncFactory: { r in
                try await (r ~> Scoped<Basket>.self).use { Mailer(Checkout($0)) }
            }
        ).inObjectScope(.container)
        let report = try await app.validateAsync(.init(open: open))
        #expect(report.errors.isEmpty)
        // They are needed at once.
        let later = report.graph.edges.count(where: \.isDeferred)
        #expect(later == 1 && report.graph.edges.count > 3, "\(report.graph.edges)")
    }

    @Test func `finds what a scope that is opened itself does not end`() throws {
        app.register(Customer.self) { Customer() }.inObjectScope(ObjectScope(named: "login"))
        app.register(Int.self) { r in
            let scope = (r ~> Container.self).openScope(.visit)
            use(scope ~> Customer.self)
            return 1
        }
        .inObjectScope(.container)
        #expect(report { try app.validate() }?.errors.map(\.kind) == [.captive])
    }

    @Test func `finds from the types what would outlive them`() throws {
        app.autoregister(Mailer.self, initializer: Mailer.init).inObjectScope(.container)
        let found = report { try app.validate() }
        #expect(found?.errors.map(\.kind) == [.captive])
        try Golden("validation with a captive of an opened scope").check("\(try #require(found))")
    }

    @Test func `finds by running what would outlive them`() throws {
        app.register(Mailer.self) { r in Mailer(try r.require(Checkout.self)) }
            .inObjectScope(.container)
        let found = report {
            try app.validate(.init(open: [.visit, .request], providing: [Customer.self]))
        }
        #expect(found?.errors.map(\.kind) == [.captive])
    }

    @Test func `knows which of two scopes is inside the other only where they are open`() throws {
        app.register(Customer.self) { Customer() }.inObjectScope(.request)
        app.unregister(Basket.self)
        app.unregister(Checkout.self)
        app.autoregister(Basket.self, initializer: Basket.init).inObjectScope(.visit)
        #expect(try app.validate().problems.isEmpty)
        #expect(
            report { try app.validate(.init(open: [.visit, .request])) }?.errors.first?.kind
                == .captive
        )
        #expect(try app.validate(.init(open: [.request, .visit])).errors.isEmpty)
    }

    @Test func `shows the open scope to injected properties`() throws {
        struct Screen {
            @Injected var basket: Basket
        }
        app.register(Int.self) {
            use(Screen().basket)
            return 1
        }
        let report = try app.validate(.init(open: [.visit])) {
            $0.register(Customer.self, instance: Customer())
        }
        #expect(report.problems.isEmpty)
    }

    @Test func `leaves the container as it was`() throws {
        try app.validate(.init(open: [.visit, .request], providing: [Customer.self]))
        #expect(app.resolve(Customer.self) == nil)
        let error = #expect(throws: ResolutionError.self) { try app.require(Basket.self) }
        #expect(error?.reason == .noOpenScope)
    }
}
