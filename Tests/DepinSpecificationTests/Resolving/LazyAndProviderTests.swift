import Depin
import Testing

struct `Lazy and Provider` {
    private let container = Container()

    // MARK: - Lazy

    @Test func `a lazy service is made at the first use, once`() throws {
        let builds = CallCount()
        container.register(Page.self) { _ in
            builds.add()
            return Page()
        }
        let lazy = try container.require(Lazy<Page>.self)
        #expect(builds.count == 0)
        let first = lazy.instance
        #expect(lazy.instance === first)
        #expect(builds.count == 1)
    }

    @Test func `a lazy service is shared with the graph it was made in`() throws {
        registerBook()

        let book = try container.require(Book.self)
        #expect(book.lazyPage.instance === book.page)
    }

    @Test func `a lazy service used in its graph gives the instance to what follows`() throws {
        container.register(Page.self) { _ in Page() }
        container.register([Page].self) { resolver in
            let lazy = resolver ~> Lazy<Page>.self
            return [lazy.instance, resolver ~> Page.self]
        }
        let pages = try container.require([Page].self)
        #expect(pages[0] === pages[1])
    }

    @Test func `two lazies of one graph give the same instance`() throws {
        container.register(Page.self) { _ in Page() }
        container.register([Lazy<Page>].self) { resolver in
            [resolver ~> Lazy<Page>.self, resolver ~> Lazy<Page>.self]
        }
        let lazies = try container.require([Lazy<Page>].self)
        #expect(lazies[0].instance === lazies[1].instance)
    }

    @Test func `what a lazy makes shares the rest of its graph`() throws {
        registerBook()
        container.register(Shelf.self) { resolver in
            Shelf(page: resolver ~> Page.self, book: resolver ~> Lazy<Book>.self)
        }
        let shelf = try container.require(Shelf.self)
        #expect(shelf.book.instance.page === shelf.page)
        #expect(shelf.book.instance.lazyPage.instance === shelf.page)
    }

    @Test func `a lazy of a shared service gives the shared instance`() throws {
        container.register(Page.self) { _ in Page() }.inObjectScope(.container)
        container.register(Int.self) { _ in 5 }.inObjectScope(.container)

        let lazy = try container.require(Lazy<Page>.self)
        #expect(try container.require(Page.self) === lazy.instance)
        #expect(container.resolve(Lazy<Int>.self)?.instance == 5)
    }

    @Test func `a lazy of a transient service makes one of its own`() throws {
        container.register(Page.self) { _ in Page() }.inObjectScope(.transient)
        registerBookOnly()

        let book = try container.require(Book.self)
        #expect(book.lazyPage.instance !== book.page)
        #expect(book.lazyPage.instance === book.lazyPage.instance)
    }

    @Test func `two objects may need each other through a lazy`() throws {
        container.register(Author.self) { resolver in Author(friend: resolver ~> Reader.self) }
        container.register(Reader.self) { resolver in Reader(friend: resolver ~> Lazy<Author>.self)
        }

        let author = try container.require(Author.self)
        #expect(author.friend?.friend.instance === author)
        let reader = try container.require(Reader.self)
        #expect(reader.friend.instance.friend === reader)

        // Friends hold each other, which is theirs to end.
        author.friend = nil
        reader.friend.instance.friend = nil
    }

    // MARK: - Provider

    @Test func `a provider makes a new one at each use`() throws {
        registerBook()

        let book = try container.require(Book.self)
        #expect(book.pages.instance !== book.page)
        #expect(book.pages.instance !== book.pages.instance)
    }

    @Test func `a provider used in a factory begins a graph of its own`() throws {
        container.register(Page.self) { _ in Page() }
        container.register([Page].self) { resolver in
            let provider = resolver ~> Provider<Page>.self
            return [resolver ~> Page.self, provider.instance, resolver ~> Page.self]
        }
        let pages = try container.require([Page].self)
        #expect(pages[0] === pages[2])
        #expect(pages[0] !== pages[1])
    }

    @Test func `a provider of a shared service gives the shared instance`() throws {
        container.register(Page.self) { _ in Page() }.inObjectScope(.container)

        let provider = try container.require(Provider<Page>.self)
        #expect(provider.instance === provider.instance)
    }

    // MARK: - Both

    @Test func `names and arguments are taken along`() throws {
        container.register(String.self, name: "n") { (_, text: String) in text }

        #expect(container.resolve(Lazy<String>.self, name: "n", argument: "a")?.instance == "a")
        #expect(container.resolve(Provider<String>.self, name: "n", argument: "b")?.instance == "b")
        #expect((container ~> (Lazy<String>.self, name: "n", argument: "c")).instance == "c")
        #expect(container.resolve(Lazy<String>.self, name: "n") == nil)
    }

    @Test func `of a service that is not registered there is none`() {
        #expect(container.resolve(Lazy<Page>.self) == nil)
        #expect(container.resolve(Provider<Page>.self) == nil)
        #expect(throws: ResolutionError.self) { try container.require(Lazy<Page>.self) }
    }

    @Test func `of an optional there is always one`() throws {
        let lazy = try container.require(Lazy<Page?>.self)
        let provider = try container.require(Provider<Page?>.self)
        #expect(lazy.instance == nil)
        #expect(provider.instance == nil)

        container.register(Page.self) { _ in Page() }
        #expect(lazy.instance == nil, "it keeps what it has")
        #expect(provider.instance != nil)
    }

    @Test func `they nest`() throws {
        container.register(Page.self) { _ in Page() }

        let provider = try container.require(Provider<Lazy<Page>>.self)
        #expect(provider.instance.instance !== provider.instance.instance)
        let lazy = try container.require(Lazy<Provider<Page>>.self)
        #expect(lazy.instance === lazy.instance)
        #expect(container.resolve(Lazy<Lazy<Int>>.self) == nil)
    }

    @Test func `a child's registrations reach them`() throws {
        container.register(Page.self) { _ in Page() }
        container.register(Lazy<Page>.self, name: "x") { resolver in resolver ~> Lazy<Page>.self }
        let child = Container(parent: container)
        let childPage = Page()
        child.register(Page.self, instance: childPage)

        #expect((child ~> (Lazy<Page>.self, name: "x")).instance === childPage)
    }

    @Test func `one may register over them`() throws {
        defer { container.removeAll() }  // A `Lazy` of one's own holds the container.
        container.register(Page.self) { _ in Page() }
        let lazy = try container.require(Lazy<Page>.self)
        container.register(Lazy<Page>.self, instance: lazy)

        #expect(try container.require(Lazy<Page>.self) === lazy)
    }

    private func registerBook() {
        container.register(Page.self) { _ in Page() }
        registerBookOnly()
    }

    private func registerBookOnly() {
        container.register(Book.self) { resolver in
            Book(
                page: resolver ~> Page.self,
                lazyPage: resolver ~> Lazy<Page>.self,
                pages: resolver ~> Provider<Page>.self
            )
        }
    }
}

private final class Page: Sendable {}

private struct Book {
    let page: Page
    let lazyPage: Lazy<Page>
    let pages: Provider<Page>
}

private struct Shelf {
    let page: Page
    let book: Lazy<Book>
}

private final class Author {
    var friend: Reader?

    init(friend: Reader) { self.friend = friend }
}

private final class Reader {
    let friend: Lazy<Author>

    init(friend: Lazy<Author>) { self.friend = friend }
}
