import Depin
import DepinTesting
import Foundation
import Testing

/// A thousand cases at once, each with its own marker under the same key and the same service.
@Suite(
    .assemblies { AppAssembly() },
    .space(\.marker, Marker()),
    .overriding { container in
        let marker = SpaceValues.current.marker
        container.register(Marker.self, instance: marker)
        container.register(API.self) { FakeAPI(name: "\(marker.number)") }
    }
)
struct `A thousand parallel cases` {
    private static let seen = SharedNumbers()

    let mine = SpaceValues.current.marker

    /// Expects that everything that can be had here, or through an object made before, is this case's.
    private func expectMine(_ screen: Screen = Screen(), line: SourceLocation = #_sourceLocation) {
        expectMine(screen, SpaceValues.current, line)
        #expect(SpaceValues.current.marker === mine, sourceLocation: line)
    }

    /// Expects it of a screen, which may never have been asked before.
    private func expectMine(
        _ screen: Screen,
        _ values: SpaceValues?,
        _ line: SourceLocation
    ) {
        #expect(screen.marker === mine, sourceLocation: line)
        #expect(screen.feed.api.name == "\(mine.number)", sourceLocation: line)
        #expect(screen.feed.marker === mine, sourceLocation: line)
        guard let container = values?.dependenciesContainer else { return }
        #expect((container ~> Marker.self) === mine, sourceLocation: line)
        #expect((container ~> Feed.self) === screen.feed, sourceLocation: line)
    }

    private actor Worker {
        let screen = Screen()

        func work(_ body: @Sendable (Screen) -> Void) async {
            body(screen)
            await Task.yield()
            body(Screen())
        }
    }

    @Test(arguments: 0..<1_000)
    func `never see each other's values in what follows the task`(number: Int) async {
        #expect(Self.seen.insert(mine.number), "another case has this marker")
        expectMine()
        async let one: Void = expectMine()
        async let other: Void = {
            await Task.yield()
            expectMine()
        }()
        let screen = Screen()
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await Task.yield()
                    expectMine(screen)
                    expectMine()
                }
            }
        }
        await Task { expectMine(screen) }.value
        await Worker().work { expectMine($0) }
        await MainActor.run { expectMine(screen) }
        await withSpace(\.language, "\(number)") {
            await Task.yield()
            #expect(SpaceValues.current.language == "\(number)")
            expectMine()
        }
        await withSpace(
            overriding: { $0.register(String.self) { "\(number)" } },
            operation: {
                await Task.yield()
                #expect(Injected<String>().wrappedValue == "\(number)")
                let screen = Screen()
                #expect(screen.marker === mine)
                #expect(screen.feed.marker === mine)
            }
        )
        _ = await (one, other)
    }

    @Test(arguments: 0..<1_000)
    func `never see each other's objects where the task does not go`(number: Int) async {
        let captured = SpaceValues.current
        // What each place does with a screen that was made here and is first asked there.
        let visit: @Sendable (Screen, SourceLocation) -> Void = { screen, line in
            expectMine(screen, nil, line)
            #expect(SpaceValues.current.description == "SpaceValues()", sourceLocation: line)
            #expect(SpaceValues.current.marker !== mine, sourceLocation: line)
            withSpace(captured) { expectMine(line: line) }
            #expect(SpaceValues.current.description == "SpaceValues()", sourceLocation: line)
        }
        let screens = (0..<3).map { _ in Screen() }
        await Task.detached {
            await Task.yield()
            visit(screens[0], #_sourceLocation)
            await withSpace(captured) {
                await Task.yield()
                expectMine()
            }
        }.value
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                visit(screens[1], #_sourceLocation)
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                visit(screens[2], #_sourceLocation)
                continuation.resume()
            }
        }
        expectMine()
    }

    @Test
    func `leave nothing in the process`() async {
        _ = Screen().feed
        let known = await Task.detached {
            SpaceValues.current.dependenciesContainer.hasAnyRegistration(of: Marker.self)
        }.value
        #expect(!known)
    }
}

/// Somebody else's override is in force where an object is first asked.
@Suite
struct `An object of one space` {
    @Test
    func `is not built from the space of whoever asks first`() {
        let own = Assembler([AppAssembly()])
        let feed = withSpace(\.dependenciesAssembler, own) {
            let screen = Screen()
            return withSpace(\.dependenciesAssembler, Assembler([FakeNetwork()])) { screen.feed }
        }
        // Feed's own property was made in between.
        #expect(feed.marker === (own.resolver ~> Marker.self))
    }

    @Test
    func `is built from it on a thread that has no space`() async {
        let own = Assembler([AppAssembly()])
        let screen = withSpace(\.dependenciesAssembler, own) { Screen() }
        let feed = await Task.detached { screen.feed }.value
        #expect(await Task.detached { feed.marker }.value === (own.resolver ~> Marker.self))
    }

    @Test
    func `carries no passer-by's override into the process`() async {
        // As an object of the app's that no test made.
        let old = await Task.detached { Injected<Feed?>() }.value
        withSpace(\.dependenciesAssembler, Assembler([AppAssembly()])) {
            #expect(old.wrappedValue == nil)
        }
    }
}
