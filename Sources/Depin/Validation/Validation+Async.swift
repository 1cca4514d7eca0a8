// The part of a validation that makes what takes time.

extension Validation {
    /// Finds what can be found, also by making what takes time.
    ///
    /// That comes first, so that the factories that run on the stage find it ready.
    func runAsync(isolation: isolated (any Actor)?) async {
        prepare()
        begin()
        await awaitAll()
        build()
    }

    /// Has everything made that takes time.
    private func awaitAll() async {
        graph.begin()
        let frame = AsyncFrame(
            graph,
            asked: container.core,
            owner: container.owner,
            in: AsyncFrame.current
        )
        let (survey, unbuilt) = state.withLock { ($0.survey, $0.unbuilt) }
        try? await frame.run {
            for index in survey.neededFirst where !unbuilt.contains(index) {
                let node = survey.nodes[index]
                guard node.isAsync, node.entry.key.arguments == nil else { continue }
                for key in node.keys where isVisible(key, of: node) {
                    let stage = AsyncValidationStage(in: frame)
                    state.withLock { $0.stage = stage }
                    _ = await stage.run { [self] in await awaitInstance(of: key, in: frame) }
                }
            }
        }
    }

    private func awaitInstance(of key: ServiceKey, in frame: AsyncFrame) async {
        do {
            let request = AsyncRequest(key, to: container.core, container.owner)
            _ = try await container.core.instance(for: request, in: frame)
        } catch let error as ResolutionError {
            _ = note(error)
        } catch {
            // The task was canceled: what is not made is not checked.
        }
    }
}
