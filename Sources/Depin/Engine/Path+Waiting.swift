extension Path {
    /// A wait on behalf of everything that cannot end before it does.
    func edge(for number: UInt, yields: Bool = false) -> WaitGraph<AnyBox>.Wait {
        var blocked: [UInt] = []
        for step in steps {
            if let building = step.pointee.building { blocked.append(building.number) }
            guard step.pointee.isCounted else { continue }
            blocked += step.pointee.engine.chain.map(\.number)
        }
        return WaitGraph.Wait(
            needed: number,
            blocked: blocked,
            isFromCallback: isInCallback,
            yields: yields
        )
    }
}
