extension Engine {
    /// Why no scope of a registration is open here, for a message.
    @_optimize(size)
    func scopeMiss(
        of registration: Registration,
        _ request: Request,
        _ path: Path
    ) -> ResolutionError.ScopeMiss {
        let scope = registration.objectScope
        func isMeant(_ engine: Engine) -> Bool { engine.opened?.scope.includes(scope) == true }
        func isNamesake(_ engine: Engine) -> Bool {
            engine.opened.map { "\($0.scope)" } == registration.openedScopeName
        }
        var miss = ResolutionError.ScopeMiss(isInTest: RunningTests.known?.name != nil)
        miss.around = chain.lazy.compactMap(\.opened).first.map { ("\($0.scope)", $0.place) }
        let inForce = Neighbors.shared.inForce.map(\.engine)
        let around = (inForce + [self]).flatMap(\.chain)
        if let open = around.first(where: isMeant) {
            let isKept = request.owner == nil && path.builder == nil
            let isToParent = inForce.contains { $0.isOpened(on: self) }
            miss.reason = isKept ? .keptResolver : .wentElsewhere(isToParent: isToParent)
            miss.openedAt = open.opened?.place
        } else if let other = around.first(where: isNamesake) {
            miss.reason = .namesake
            miss.openedAt = other.opened?.place
        } else if let open = root.descendants(limit: 100).first(where: isMeant) {
            miss.reason = .isNotInForce(isEntered: open.opened?.isEntered == true)
            miss.openedAt = open.opened?.place
        }
        return miss
    }
}
