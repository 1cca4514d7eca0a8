import Depin
import DepinInspection
import Testing

private struct Setting: Sendable {}
private final class East: Sendable {}
private final class West: Sendable {}

struct `A canceled validateAsync` {
    private let container = Container()

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `throws CancellationError`(_ isHealthy: Bool) async throws {
        let (goOn, isBuilding) = (AsyncGate(), AsyncGate())
        container.register(
            East.self,
            asyncFactory: {
                isBuilding.open()
                await goOn.wait()
                try Task.checkCancellation()
                return East()
            }
        )
        if !isHealthy { container.autoregister(West.self) { (_: Setting) in West() } }
        let validation = Task { [container] in try await container.validateAsync() }
        await isBuilding.wait()
        validation.cancel()
        goOn.open()
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await validation.value })
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `throws it where no factory has looked, and makes nothing more`() async throws {
        let (goOn, isBuilding, begun) = (AsyncGate(), AsyncGate(), CallCount())
        for number in 0..<50 {
            container.register(
                East.self,
                name: "\(number)",
                asyncFactory: {
                    begun.add()
                    isBuilding.open()
                    await goOn.wait()
                    return East()
                }
            )
        }
        let validation = Task { [container] in try await container.validateAsync() }
        await isBuilding.wait()
        validation.cancel()
        goOn.open()
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await validation.value })
        }
        #expect(begun.count < 50)
    }

    @Test(.timeLimit(.minutes(5)))
    func `throws it where its task was canceled before`() async throws {
        let begun = CallCount()
        container.register(
            East.self,
            asyncFactory: {
                begun.add()
                return East()
            }
        )
        let validation = Task { [container] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await container.validateAsync()
        }
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await validation.value })
        }
        #expect(begun.count == 0)
    }
}

struct `A circle of services that take time` {
    private let container = Container()

    private func kinds() async -> [ValidationReport.Kind] {
        do {
            return try await container.validateAsync().problems.map(\.kind)
        } catch let error as ValidationError {
            return error.report.problems.map(\.kind)
        } catch {
            Issue.record(error)
            return []
        }
    }

    private func text() async -> String {
        do {
            return try await container.validateAsync().description
        } catch {
            return "\(error)"
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: EveryScope.allCases.filter { $0 != .opened }
    )
    func `is one problem, and not that it takes time`(_ kept: EveryScope) async throws {
        container.register(
            East.self,
            asyncFactory: { r in
                use(try await r.requireAsync(West.self))
                return East()
            }
        )
        .inObjectScope(kept.scope)
        container.register(
            West.self,
            asyncFactory: { r in
                use(try await r.requireAsync(East.self))
                return West()
            }
        )
        .inObjectScope(kept.scope)
        #expect(await kinds() == [.circular])
        #expect(!(await text()).contains("takes time"))
    }

    @Test(.timeLimit(.minutes(5)))
    func `is one problem where it is declared`() async throws {
        container.autoregister(East.self, asyncInitializer: { (_: West) in East() })
        container.autoregister(West.self, asyncInitializer: { (_: East) in West() })
        #expect(await kinds() == [.circular])
        #expect(!(await text()).contains("takes time"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `hides nothing of what is beside it`(_ isDeclared: Bool) async throws {
        container.register(Setting.self, asyncFactory: { Setting() })
        if isDeclared {
            container.autoregister(
                East.self,
                asyncInitializer: { (_: West, _: Setting) in East() }
            )
            container.autoregister(West.self, asyncInitializer: { (_: East) in West() })
        } else {
            container.register(
                East.self,
                asyncFactory: { r in
                    use(try await r.requireAsync(Setting.self))
                    use(try await r.requireAsync(West.self))
                    return East()
                }
            )
            container.register(
                West.self,
                asyncFactory: { r in
                    use(try await r.requireAsync(East.self))
                    return West()
                }
            )
        }
        #expect(await kinds() == [.circular])
        #expect(!(await text()).contains("takes time"))
    }
}
