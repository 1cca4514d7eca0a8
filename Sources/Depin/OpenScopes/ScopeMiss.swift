extension Engine {
    /// Why no scope of a registration is open here, for a message.
    @_optimize(size)
    func scopeMiss(
        of registration: Registration,
        _ request: Request,
        _ path: Path
    ) -> ResolutionError.ScopeMiss {
        let scope = registration.objectScope
        func isMeant(_ open: OpenScope) -> Bool { open.scope.includes(scope) }
        func isNamesake(_ open: OpenScope) -> Bool {
            "\(open.scope)" == registration.openedScopeName
        }
        let inForce = Neighbors.shared.inForce.map(\.engine)
        let around = (inForce + [self]).flatMap(\.chain).compactMap(\.opened)
        if let open = around.first(where: isMeant) {
            if request.owner == nil, path.builder == nil {
                return .keptResolver(openedAt: open.place)
            }
            let isToParent = inForce.contains { $0.isOpened(on: self) }
            return .wentElsewhere(openedAt: open.place, isToParent: isToParent)
        }
        if let other = around.first(where: isNamesake) { return .namesake(openedAt: other.place) }
        let others = root.descendants(limit: 100).compactMap(\.opened)
        if let open = others.first(where: isMeant) {
            return .isNotInForce(openedAt: open.place, isEntered: open.isEntered)
        }
        let nearest = chain.lazy.compactMap(\.opened).first.map { ("\($0.scope)", $0.place) }
        return .isNotOpen(around: nearest, isInTest: RunningTests.known?.name != nil)
    }
}
