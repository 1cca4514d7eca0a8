import Depin
import Testing

struct `A ServiceFactory` {
    private let container = Container { container in
        container.register(Page.self) { (_, number: Int) in Page(number) }
        container.register(Page.self, name: "odd") { (_, number: Int) in Page(2 * number + 1) }
        container.register(Page.self) { (_, number: Int, text: String) in Page(number, text) }
    }

    @Test func `makes the service for arguments, anew at each call`() throws {
        let pages = container(ServiceFactory<Page, Int>.self)
        #expect(pages(7).number == 7)
        #expect(pages(7) !== pages(7))
        #expect(try pages.require(8).number == 8)
        let texts = container(ServiceFactory<Page, Int, String>.self)
        #expect(texts(1, "a").text == "a")
    }

    @Test func `has a name where its registration has one`() {
        #expect(container(ServiceFactory<Page, Int>.self, name: "odd")(1).number == 3)
        #expect(container.resolve(ServiceFactory<Page, Int>.self, name: "even") == nil)
    }

    @Test func `is there for the arguments of a registration alone`() {
        #expect(container.resolve(ServiceFactory<Page, String>.self) == nil)
        #expect(container.resolve(ServiceFactory<Page>.self) == nil)
        #expect(container.resolve(ServiceFactory<Page, Int>.self, argument: 1) == nil)
        container.register(Page.self) { Page(0) }
        #expect(container.resolve(ServiceFactory<Page>.self)?().number == 0)
    }

    @Test func `keeps the static type of an existential argument`() {
        container.register(Page.self) { (_, topic: any Topic) in Page(topic.number) }
        #expect(container(ServiceFactory<Page, any Topic>.self)(Story()).number == 5)
        #expect(container.resolve(ServiceFactory<Page, Story>.self) == nil)
    }

    @Test func `is injected`() {
        withSpace(\.dependenciesContainer, container) {
            let book = Book()
            #expect(book.pages(3).number == 3)
            #expect(book.odd(3).number == 7)
            #expect(book.optional == nil)
        }
    }

    @Test func `is a parameter of an initializer`() {
        container.autoregister(Shelf.self, initializer: Shelf.init)
        #expect(container(Shelf.self).pages(4).number == 4)
    }

    @Test func `begins a graph at each call, also in a factory`() {
        container.register(Ink.self) { Ink() }
        container.register(Print.self) { (r, _: Int) in Print(ink: r(), other: r()) }
        container.register([Print].self) { r in
            let prints = r(ServiceFactory<Print, Int>.self)
            return [prints(1), prints(1)]
        }
        let prints = container([Print].self)
        #expect(prints[0].ink === prints[0].other)
        #expect(prints[0].ink !== prints[1].ink)
    }

    @Test func `gives what a scope keeps`() {
        container.register(Ink.self) { (_, _: Int) in Ink() }
            .inObjectScope(.container.perArguments)
        let inks = container(ServiceFactory<Ink, Int>.self)
        #expect(inks(1) === inks(1))
        #expect(inks(1) !== inks(2))
        #expect(inks(1) === container(Ink.self, argument: 1))
    }

    @Test func `of an optional gives nil where nothing is registered`() {
        let inks = container(ServiceFactory<Ink?, Int>.self)
        #expect(inks(1) == nil)
        container.register(Ink.self) { (_, _: Int) in Ink() }
        #expect(inks(1) != nil)
    }

    @Test func `gives what is asked for later, in a Lazy, a Provider or an optional`() {
        #expect(container(ServiceFactory<Lazy<Page>, Int>.self)(7).instance.number == 7)
        #expect(container(Lazy<ServiceFactory<Page, Int>>.self).instance(7).number == 7)
        #expect(container(Provider<ServiceFactory<Page, Int>>.self).instance(7).number == 7)
        #expect(container(ServiceFactory<Page, Int>?.self)?(7).number == 7)
        #expect(container(ServiceFactory<Page, String>?.self) == nil)
    }

    @Test func `goes through decorators and forwarded types`() {
        container.register(Story.self) { (_, number: Int) in Story(number: number) }
            .implements((any Topic).self)
        container.decorate((any Topic).self) { _, topic in Story(number: topic.number + 1) }
        #expect(container(ServiceFactory<any Topic, Int>.self)(7).number == 8)
    }

    @Test func `is an element of a collection where it is contributed itself`() {
        #expect(container([ServiceFactory<Page, Int>].self).isEmpty)
        container.contribute(Page.self) { Page(1) }
        #expect(container([ServiceFactory<Page, Int>].self).isEmpty)
        container.contribute(ServiceFactory<Page, Int>.self) { r in r(name: "odd") }
        #expect(container([ServiceFactory<Page, Int>].self).map { $0(1).number } == [3])
    }

    @Test func `may be registered over`() {
        let pages = container(ServiceFactory<Page, Int>.self, name: "odd")
        container.register(ServiceFactory<Page, Int>.self, instance: pages)
        #expect(container(ServiceFactory<Page, Int>.self) === pages)
        container.removeAll()
    }

    @Test func `throws an error of its factory with the place of the call`() throws {
        container.register(Ink.self) { (_, _: Int) -> Ink in throw Dry() }
        let inks = container(ServiceFactory<Ink, Int>.self)
        let line: Int = #line + 1
        let error = #expect(throws: ResolutionError.self) { try inks.require(1) }
        #expect(error?.reason == .factoryFailed)
        #expect(error?.path.first?.request.requiredAt?.line == line)
    }

    @Test func `is Sendable where its service is`() async {
        let pages = container(ServiceFactory<Page, Int>.self)
        let page = await Task.detached { pages(9) }.value
        #expect(page.number == 9)
    }

    // MARK: - What takes time

    @Test func `awaits an asynchronous factory`() async throws {
        container.register(
            Ink.self,
            asyncFactory: { (_, _: Int) in
                await Task.yield()
                return Ink()
            }
        )
        let inks = container(ServiceFactory<Ink, Int>.self)
        _ = try await inks.requireAsync(1)
        let error = #expect(throws: ResolutionError.self) { try inks.require(1) }
        #expect(error?.reason == .needsAwait)
        container.unregister(Ink.self)
        let line: Int = #line + 1
        func ask() async throws { _ = try await inks.requireAsync(1) }
        let missing = await #expect(throws: ResolutionError.self) { try await ask() }
        #expect(missing?.request.requiredAt?.line == line)
    }

    @Test func `awaits in a factory that is under way`() async throws {
        container.register(
            Ink.self,
            asyncFactory: { (r, count: Int) -> Ink in
                guard count > 0 else { return Ink() }
                return try await r(ServiceFactory<Ink, Int>.self).requireAsync(count - 1)
            }
        )
        _ = try await container.requireAsync(Ink.self, argument: 3)
    }

    @Test func `begins a graph where it awaits a collection in a factory that is under way`()
        async throws
    {
        container.contribute(Page.self) { Page(1) }
        container.register(
            [[Page]].self,
            asyncFactory: { r in
                let pages = r(ServiceFactory<[Page]>.self)
                return try await [r([Page].self), pages.requireAsync(), pages.requireAsync()]
            }
        )
        let pages = try await container.requireAsync([[Page]].self)
        #expect(Set(pages.joined().map { ObjectIdentifier($0) }).count == 3)
    }

    // MARK: - Containers

    @Test func `of a child makes what the child has`() {
        let child = Container(parent: container)
        child.register(Page.self) { (_, number: Int) in Page(-number) }
        #expect(child(ServiceFactory<Page, Int>.self)(7).number == -7)
        #expect(container(ServiceFactory<Page, Int>.self)(7).number == 7)
    }

    @Test func `that the parent keeps makes what the parent has`() {
        container.register(Shelf.self) { r in Shelf(pages: r()) }.inObjectScope(.container)
        let child = Container(parent: container)
        child.register(Page.self) { (_, number: Int) in Page(-number) }
        #expect(child(Shelf.self).pages(7).number == 7)
    }

    @Test func `asks the scope in force`() async throws {
        container.register(Ink.self) { Ink() }.inObjectScope(.request)
        container.register(Print.self) { (r, _: Int) in
            Print(ink: try r.require(Ink.self), other: r())
        }
        let prints = container(ServiceFactory<Print, Int>.self)
        let error = #expect(throws: ResolutionError.self) { try prints.require(1) }
        #expect(error?.reason == .noOpenScope)
        try await container.withScope(.request) { scope in
            #expect(prints(1).ink === scope(Ink.self))
            let print = try await prints.requireAsync(2)
            #expect(print.ink === scope(Ink.self))
        }
    }

    @Test func `of a fork makes what the fork has`() {
        let pages = container(ServiceFactory<Page, Int>.self)
        let fork = container.fork()
        fork.register(Page.self) { (_, number: Int) in Page(-number) }
        #expect(fork(ServiceFactory<Page, Int>.self)(7).number == -7)
        #expect(pages(7).number == 7)
    }

    @Test func `of an override makes what replaces`() {
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { $0.register(Page.self) { (_, n: Int) in Page(-n) } }) {
                #expect(Book().pages(7).number == -7)
            }
            #expect(Book().pages(7).number == 7)
        }
    }

    @Test func `does not keep the container that keeps it`() {
        weak var gone: Container?
        do {
            let app = Container()
            app.register(Page.self) { (_, number: Int) in Page(number) }
            app.register(Shelf.self) { r in Shelf(pages: r()) }.inObjectScope(.container)
            gone = app
            #expect(app(Shelf.self).pages(1).number == 1)
        }
        #expect(gone == nil)
    }

    @Test func `keeps the container, for what nobody keeps`() {
        let pages = {
            let app = Container()
            app.register(Page.self) { (_, number: Int) in Page(number) }
            return app(ServiceFactory<Page, Int>.self)
        }()
        #expect(pages(1).number == 1)
    }

    @Test func `is told to observers, with what it makes`() throws {
        let log = EventLog<String>()
        let observation = container.addObserver(Observer(log: log))
        let pages = container(ServiceFactory<Page, Int>.self)
        _ = pages(7)
        #expect(
            log.all == ["derived ServiceFactory<Page, Int>", "built Page with (Int)"]
        )
        withExtendedLifetime(observation) {}
    }

    @Test func `is a need, so what it has made closes after who has it`() async throws {
        let closed = EventLog<String>()
        container.register(Ink.self) { (_, _: Int) in Ink() }
            .inObjectScope(.container.perArguments)
            .onClose { _ in closed.note("ink") }
        container.register(InkShelf.self) { r in InkShelf(inks: r()) }
            .inObjectScope(.container)
            .onClose { _ in closed.note("shelf") }
        _ = container(InkShelf.self).inks(1)
        try await container.close()
        #expect(closed.all == ["shelf", "ink"])
    }
}

private final class Page: Sendable {
    let number: Int
    let text: String

    init(_ number: Int, _ text: String = "") { (self.number, self.text) = (number, text) }
}

private final class Ink: Sendable {}

private struct Print: Sendable {
    let ink: Ink
    let other: Ink
}

private protocol Topic: Sendable { var number: Int { get } }

private struct Story: Topic { var number = 5 }

private struct Dry: Error {}

private final class Shelf: Sendable {
    let pages: ServiceFactory<Page, Int>

    init(pages: ServiceFactory<Page, Int>) { self.pages = pages }
}

private struct InkShelf: Sendable {
    let inks: ServiceFactory<Ink, Int>
}

private struct Observer: ResolutionObserver {
    let log: EventLog<String>

    func observe(_ event: ResolutionEvent) {
        if event.outcome != .requested { log.note("\(event.outcome) \(event.request)") }
    }
}

private struct Book {
    @Injected var pages: ServiceFactory<Page, Int>
    @Injected("odd") var odd: ServiceFactory<Page, Int>
    @Injected var optional: ServiceFactory<Page, String>?
}
