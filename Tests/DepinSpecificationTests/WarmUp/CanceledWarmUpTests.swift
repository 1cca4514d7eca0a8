import Depin
import Testing

private struct Setting: Sendable {}
private final class East: Sendable {}
private final class West: Sendable {}

struct `A canceled warmUp` {
    private let container = Container(defaultObjectScope: .container)
    private let begun = EventLog<String>()

    /// Eager services of which each notes its beginning, and the first waits at a gate.
    private func register(_ takesTime: Bool, until goOn: AsyncGate, noting isBuilding: AsyncGate) {
        container.register(
            Setting.self,
            name: "first",
            asyncFactory: { [begun] in
                begun.note("first")
                isBuilding.open()
                await goOn.wait()
                return Setting()
            }
        )
        .eager()
        for name in ["second", "third"] {
            if takesTime {
                container.autoregister(
                    Setting.self,
                    name: name,
                    asyncInitializer: { [begun] (_: East) in
                        begun.note(name)
                        return Setting()
                    }
                )
                .eager()
            } else {
                container.autoregister(
                    Setting.self,
                    name: name,
                    initializer: { [begun] (_: East) in
                        begun.note(name)
                        return Setting()
                    }
                )
                .eager()
            }
        }
        // So that the first comes before.
        container.register(
            East.self,
            asyncFactory: { r in
                use(try await r.requireAsync(Setting.self, name: "first"))
                return East()
            }
        )
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true], [1, 4])
    func `starts nothing more and throws`(_ takesTime: Bool, _ width: Int) async throws {
        let (goOn, allBuild) = (AsyncGate(), AsyncGate())
        // What takes time begins first, and takes every place.
        for number in 0..<width {
            container.register(
                Setting.self,
                name: "\(number)",
                asyncFactory: { [begun] in
                    begun.note("early")
                    if begun.all.count == width { allBuild.open() }
                    await goOn.wait()
                    return Setting()
                }
            )
            .eager()
        }
        for number in 0..<20 {
            if takesTime {
                container.autoregister(
                    West.self,
                    name: "\(number)",
                    asyncInitializer: { [begun] (_: East) in
                        begun.note("late")
                        return West()
                    }
                )
                .eager()
            } else {
                container.register(West.self, name: "\(number)") { [begun] in
                    begun.note("late")
                    return West()
                }
                .eager()
            }
        }
        container.register(East.self) { East() }
        let warmUp = Task { [container] in try await container.warmUp(width: width) }
        await allBuild.wait()
        warmUp.cancel()
        goOn.open()
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await warmUp.value })
        }
        #expect(begun.all == Array(repeating: "early", count: width))
        // It may be called again.
        let report = try await container.warmUp(width: width)
        #expect(report.services.count >= 20)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [1, 4])
    func `starts nothing more where what it is making takes no time`(_ width: Int) async throws {
        let (isThere, tasks) = (Latch(), EventLog<Task<WarmUpReport, any Error>>())
        for number in 0..<40 {
            container.register(Setting.self, name: "\(number)") { [begun] in
                isThere.wait()
                begun.note("\(number)")
                tasks.all.first?.cancel()
                return Setting()
            }
            .eager()
        }
        tasks.note(Task { [container] in try await container.warmUp(width: width) })
        isThere.open()
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await tasks.all[0].value })
        }
        // Each place may have one under way.
        #expect(begun.all.count <= 2 * width, "\(begun.all.count)")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `starts nothing at all where its task was canceled before`(_ takesTime: Bool) async throws
    {
        for number in 0..<5 {
            if takesTime {
                container.register(
                    Setting.self,
                    name: "\(number)",
                    asyncFactory: { [begun] in
                        begun.note("\(number)")
                        return Setting()
                    }
                )
                .eager()
            } else {
                container.register(Setting.self, name: "\(number)") { [begun] in
                    begun.note("\(number)")
                    return Setting()
                }
                .eager()
            }
        }
        let warmUp = Task { [container] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await container.warmUp()
        }
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await warmUp.value })
        }
        #expect(begun.all == [])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `makes none of those that need what it was making`(_ takesTime: Bool) async throws {
        let (goOn, isBuilding) = (AsyncGate(), AsyncGate())
        register(takesTime, until: goOn, noting: isBuilding)
        let warmUp = Task { [container] in try await container.warmUp(width: 1) }
        await isBuilding.wait()
        warmUp.cancel()
        goOn.open()
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await warmUp.value })
        }
        #expect(begun.all == ["first"])
    }
}
