import Depin
import Foundation
import Testing

struct `Space overrides across tasks` {
    @Test func `an asynchronous override is seen across suspensions and gone after`() async {
        await withSpace(\.theme, "dark") {
            await Task.yield()
            #expect(theme() == "dark")
            await withSpace {
                $0.theme = "sepia"
            } operation: {
                await Task.yield()
                #expect(theme() == "sepia")
            }
            #expect(theme() == "dark")
        }
        #expect(theme() == "light")
    }

    @Test func `child tasks, groups and unstructured tasks have the override`() async {
        await withSpace(\.theme, "dark") {
            async let child = theme()
            let unstructured = Task { theme() }
            let grouped = await withTaskGroup(of: String.self) { group in
                for _ in 0..<3 { group.addTask { theme() } }
                return await group.reduce(into: []) { $0.append($1) }
            }

            #expect(await child == "dark")
            #expect(await unstructured.value == "dark")
            #expect(grouped == ["dark", "dark", "dark"])
        }
    }

    @Test func `a task keeps its override after the call has returned`() async {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let late = withSpace(\.theme, "dark") {
            Task {
                for await _ in gate {}
                return theme()
            }
        }
        open.finish()

        #expect(await late.value == "dark")
    }

    @Test func `an override inside a child task stays in it`() async {
        await withSpace(\.theme, "dark") {
            async let child = withSpace(\.theme, "sepia") { theme() }
            #expect(await child == "sepia")
            #expect(theme() == "dark")
        }
    }

    @Test func `a detached task and a queue see the override only where it was carried`() async {
        await withSpace(\.theme, "dark") {
            let captured = SpaceValues.current

            #expect(await Task.detached { theme() }.value == "light")
            #expect(await onQueue { theme() } == "light")
            #expect(await Task.detached { withSpace(captured) { theme() } }.value == "dark")
            #expect(await onQueue { withSpace(captured) { theme() } } == "dark")
            let awaited = Task.detached {
                await withSpace(captured) {
                    await Task.yield()
                    return theme()
                }
            }
            #expect(await awaited.value == "dark")
        }
    }

    @Test func `a throw and a cancellation restore`() async throws {
        await #expect(throws: Failure.self) {
            try await withSpace(\.theme, "dark") {
                await Task.yield()
                throw Failure()
            }
        }
        #expect(theme() == "light")

        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let cancelled = Task {
            for await _ in gate {}
            var inside = ""
            do {
                try await withSpace(\.theme, "dark") {
                    inside = theme()
                    try await withTaskCancellationHandler {
                        try Task.checkCancellation()
                    } onCancel: {
                    }
                }
            } catch is CancellationError {
                return "\(inside), then \(theme())"
            }
            return "never cancelled"
        }
        cancelled.cancel()
        open.finish()
        #expect(try await cancelled.value == "dark, then light")
    }

    @Test func `many tasks with their own overrides never see each other's`() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await withSpace(\.theme, "\(number)") {
                        await Task.yield()
                        async let child = theme()
                        let own = theme()
                        return await child == "\(number)" && own == "\(number)"
                    }
                }
            }
            for await alone in group { #expect(alone) }
        }
    }

    @MainActor
    @Test func `the operation runs on the caller's actor`() async {
        await withSpace(\.theme, "dark") {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
        }
        await withSpace {
            $0.theme = "dark"
        } operation: {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
        }
        await withSpace(SpaceValues.current) {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
        }
        await Counter().countUnderOverrides()
    }

    @Test func `neither the operation nor its result need be sendable`() async {
        let tally = Tally()

        let same = await withSpace(\.theme, "dark") {
            await Task.yield()
            tally.count += 1
            return tally
        }
        same.count += 1

        #expect(tally.count == 2)
    }

    @Test func `a value need not be sendable`() async {
        let tally = Tally()

        await withSpace(\.tally, tally) {
            await Task.yield()
            SpaceValues.current.tally.count += 1
        }

        #expect(tally.count == 1)
    }

    @Test func `a result may be ignored`() async {
        withSpace(\.theme, "dark") { 1 }
        withSpace {
            $0.theme = "dark"
        } operation: {
            1
        }
        withSpace(SpaceValues.current) { 1 }
        await withSpace(\.theme, "dark") { await one() }
        await withSpace {
            $0.theme = "dark"
        } operation: {
            await one()
        }
        await withSpace(SpaceValues.current) { await one() }
    }

    @MainActor
    @Test func `the wrapper serves every kind of type`() async {
        await withSpace(\.theme, "dark") {
            #expect(Screen.shownTheme() == "dark")
            #expect(ViewModel().theme == "dark")
            #expect(await Counter().theme == "dark")
        }
    }
}

private func theme() -> String {
    SpaceValues.current.theme
}

private func one() async -> Int {
    await Task.yield()
    return 1
}

private func onQueue(_ body: @escaping @Sendable () -> String) async -> String {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}

private struct Failure: Error {}

private final class Tally {
    var count = 0
}

@MainActor
private enum Screen {
    @Space(\.theme) private static var theme: String

    static func shownTheme() -> String { theme }
}

private class ViewModel {
    @Space(\.theme) var theme: String
}

private actor Counter {
    @Space(\.theme) var theme: String
    private var count = 0

    func countUnderOverrides() async {
        await withSpace(\.theme, "dark") {
            assertIsolated()
            count += 1
            await Task.yield()
            assertIsolated()
        }
        await withSpace {
            $0.theme = "dark"
        } operation: {
            assertIsolated()
            count += 1
            await Task.yield()
            assertIsolated()
        }
        #expect(count == 2)
    }
}

private enum ThemeKey: SpaceKey {
    static var defaultValue: String { "light" }
}

private enum TallyKey: SpaceKey {
    static var defaultValue: Tally { Tally() }
}

extension SpaceValues {
    fileprivate var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
    fileprivate var tally: Tally {
        get { self[TallyKey.self] }
        set { self[TallyKey.self] = newValue }
    }
}
