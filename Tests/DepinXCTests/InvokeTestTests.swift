import Depin
import XCTest

private protocol API: Sendable {
    var name: String { get }
}

private struct LiveAPI: API {
    let name = "live"
}

private struct FakeAPI: API {
    let name = "fake"
}

/// One of them must not outlive the test method that made it.
private final class Cart: Sendable {}

private final class Screen: Sendable {
    private let injectedAPI = Injected<any API>()
    private let injectedCart = Injected<Cart>()

    var title: String { injectedAPI.wrappedValue.name }
    var cart: Cart { injectedCart.wrappedValue }
}

private struct AppAssembly: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { LiveAPI() }
        container.register(Cart.self) { Cart() }.inObjectScope(.container)
    }
}

// What the tests look at across methods; XCTest runs them one after the other.
private nonisolated(unsafe) var carts: [Cart] = []

/// Three lines in `invokeTest` give each test method, its `setUp` and its `tearDown` a space.
final class ServiceOverridingTests: XCTestCase {
    override func invokeTest() {
        withSpace(
            overriding: { container in
                Assembler(container: container).apply(assembly: AppAssembly())
                container.register(API.self) { FakeAPI() }
            },
            operation: { super.invokeTest() }
        )
    }

    private var screenOfSetUp: Screen?

    override func setUp() {
        screenOfSetUp = Screen()
    }

    override func tearDown() {
        XCTAssertEqual(Screen().title, "fake")
    }

    private func expectOwnCart() {
        let cart = Screen().cart
        XCTAssertIdentical(cart, screenOfSetUp?.cart)
        XCTAssertFalse(carts.contains { $0 === cart }, "another test's cart")
        carts.append(cart)
    }

    func testReplacesTheService() {
        XCTAssertEqual(Screen().title, "fake")
        XCTAssertEqual(screenOfSetUp?.title, "fake")
    }

    func testSharesNothingWithTheOther() {
        expectOwnCart()
    }

    func testSharesNothingWithTheOneBefore() {
        expectOwnCart()
    }

    func testReachesAnAsynchronousTest() async {
        await Task.yield()
        XCTAssertEqual(Screen().title, "fake")
        async let title = Screen().title
        let other = await title
        XCTAssertEqual(other, "fake")
        expectOwnCart()
    }

    @MainActor
    func testReachesTheMainActor() async {
        XCTAssertEqual(Screen().title, "fake")
        await Task.yield()
        XCTAssertEqual(Screen().title, "fake")
    }

    func testReachesObjectsOnADispatchQueue() {
        let screen = Screen()
        let isDone = expectation(description: "asked on the queue")
        DispatchQueue.global().async {
            XCTAssertEqual(screen.title, "fake")
            isDone.fulfill()
        }
        wait(for: [isDone], timeout: 10)
    }

    func testReplacesOneMoreWithin() {
        withSpace(
            overriding: { $0.register(API.self) { LiveAPI() } },
            operation: { XCTAssertEqual(Screen().title, "live") }
        )
        XCTAssertEqual(Screen().title, "fake")
    }
}

/// The form that the documentation has.
final class DocumentedFormTests: XCTestCase {
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    override func invokeTest() {
        withSpace(overriding: { $0.register(API.self) { FakeAPI() } }) {
            super.invokeTest()
        }
    }

    func testReplacesTheService() {
        XCTAssertEqual(Screen().title, "fake")
    }

    func testReplacesItInAnAsynchronousTest() async {
        await Task.yield()
        XCTAssertEqual(Screen().title, "fake")
    }
}

/// Without them a test replaces services where it needs to.
final class PlainTests: XCTestCase {
    private func withApp<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withSpace(\.dependenciesAssembler, Assembler([AppAssembly()]), operation: body)
    }

    func testReplacesAServiceForOneOperation() {
        withApp {
            XCTAssertEqual(Screen().title, "live")
            let screen = withSpace(
                overriding: { $0.register(API.self) { FakeAPI() } },
                operation: { Screen() }
            )
            XCTAssertEqual(screen.title, "fake")
            XCTAssertEqual(Screen().title, "live")
        }
    }

    func testReplacesAServiceForAnAsynchronousOperation() async {
        let assembler = Assembler([AppAssembly()])
        await withSpace(\.dependenciesAssembler, assembler) {
            await withSpace(
                overriding: { $0.register(API.self) { FakeAPI() } },
                operation: {
                    await Task.yield()
                    XCTAssertEqual(Screen().title, "fake")
                }
            )
            XCTAssertEqual(Screen().title, "live")
        }
    }

    func testRestoresAfterAThrow() throws {
        struct Failure: Error {}
        func throwInside() throws {
            try withSpace(
                overriding: { $0.register(API.self) { FakeAPI() } },
                operation: { throw Failure() }
            )
        }
        func throwWhileRegistering() throws {
            try withSpace(overriding: { _ in throw Failure() }, operation: {})
        }
        try withApp {
            XCTAssertThrowsError(try throwInside())
            XCTAssertThrowsError(try throwWhileRegistering())
            XCTAssertEqual(Screen().title, "live")
        }
    }

    func testLeavesTheProcessAlone() {
        XCTAssertNil(SpaceValues.current.dependenciesContainer.resolve(Cart.self))
        XCTAssertEqual(SpaceValues.current.description, "SpaceValues()")
    }
}
