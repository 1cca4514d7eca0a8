import Depin

// The part of a validation that makes what takes time.

extension Validation {
    /// Finds what can be found, also by making what takes time.
    ///
    /// That comes first, so that the factories that run on the stage find it ready.
    func runAsync(isolation: isolated (any Actor)?) async {
        begin()
        await awaitAll()
        // The rest would be made in vain.
        if Task.isCancelled { finish() } else { build() }
        // A thread that was left behind keeps the validation, and not what has been closed.
        let made = state.withLock { state in
            defer { state.made = [] }
            return state.made
        }
        for var run in made { await run.runAndReport() }
    }

    /// Has everything made that takes time.
    private func awaitAll() async {
        graph.begin()
        let outer = TaskFrame.current
        var step = Resolution.Step(in: container.engine, graph: graph, after: outer?.step)
        step.owner = container.owner
        guard let frame = try? TaskFrame(step, in: outer) else { return }
        let (survey, unbuilt) = state.withLock { ($0.survey, $0.unbuilt) }
        await frame.run {
            for index in survey.neededFirst where !unbuilt.contains(index) {
                let node = survey.nodes[index]
                guard node.isAsync, node.registration.key.arguments == nil else { continue }
                for key in node.keys where isVisible(key, of: node) && !Task.isCancelled {
                    let stage = AsyncValidationStage(in: frame)
                    state.withLock { $0.stage = stage }
                    _ = await stage.run { [self] in await awaitInstance(of: key, in: frame) }
                }
            }
        }
    }

    private func awaitInstance(of key: ServiceKey, in frame: TaskFrame) async {
        do {
            var request = Engine.Request(key, nil, container.owner)
            (request.isAsync, request.isNeeded) = (true, true)
            _ = try await container.engine.needed(request, in: frame)
        } catch let error as ResolutionError {
            if error.reason == .circularDependency, let found = container.engine.find(key) {
                state.withLock { _ = $0.circular.insert(found.registration.number) }
            }
            _ = note(error)
        } catch {
            // The task was canceled: what is not made is not checked.
        }
    }
}
