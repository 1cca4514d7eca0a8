// Who keeps a container open for what is made on a path.

extension Path {
    /// True where what a container makes is for what it, or a parent of it, keeps.
    func isKept(by core: Core) -> Bool {
        guard keptSteps > 0, !core.isForValidation else { return false }
        return steps.contains { step in
            step.isKept
                && step.entry.map { entry in core.chain.contains { $0 === entry.sink } } == true
        }
    }

    /// True where the instance being made, or one that it is made for, is kept by its scope.
    var isForKept: Bool { steps.contains { $0.number != 0 && $0.traits.kind.keeps } }

    /// True where what is made must not keep a container open: that one keeps it, or a parent of it does, or it
    /// was asked by what they keep.
    func belongs(to core: Core) -> Bool {
        func isInChain(_ other: Core) -> Bool { core.chain.contains { $0 === other } }
        if registering.contains(where: isInChain) || isKept(by: core) { return true }
        guard let step = steps.last(where: { $0.number != 0 }) else { return false }
        return step.owner?.own == nil && isInChain(step.asked)
    }

    /// Who keeps a container open for what is made here: the graph, where what the container keeps may find
    /// that there.
    func lent(_ owner: CoreOwner) -> CoreOwner {
        guard let graph = nextGraph, let step = steps.last(where: { $0.number != 0 }),
            owner.core.chain.contains(where: { $0 === step.asked })
        else { return owner }
        return graph.owner(lentBy: owner)
    }
}
