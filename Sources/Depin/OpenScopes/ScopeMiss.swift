extension Engine {
    /// Why no scope of a registration is open here, for the message.
    @_optimize(size)
    func scopeMiss(
        of registration: Registration,
        _ request: Request,
        _ path: Path
    ) -> ResolutionError.ScopeMiss {
        let scope = registration.objectScope
        let isInTest = RunningTests.known?.name != nil
        func isMeant(_ open: OpenScope) -> Bool { open.scope.includes(scope) }
        func first(of engines: [Engine], where matches: (OpenScope) -> Bool) -> OpenScope? {
            engines.first { $0.opened.map(matches) ?? false }?.opened
        }
        let inForce = Neighbors.shared.inForce.map(\.engine)
        let around = (inForce + [self]).flatMap(\.chain)
        if let open = first(of: around, where: isMeant) {
            if request.owner == nil, path.builder == nil {
                return .keptResolver(openedAt: open.place)
            }
            let isToParent = inForce.contains { $0.isOpened(on: self) }
            return .wentElsewhere(openedAt: open.place, isToParent: isToParent)
        }
        let name = registration.openedScopeName
        if let other = first(of: around, where: { "\($0.scope)" == name }) {
            return .namesake(openedAt: other.place)
        }
        if let open = first(of: root.descendants(limit: 100), where: isMeant) {
            return .isNotInForce(
                openedAt: open.place,
                isEntered: open.isEntered,
                isInTest: isInTest
            )
        }
        let nearest = first(of: Array(chain)) { _ in true }.map { ("\($0.scope)", $0.place) }
        return .isNotOpen(around: nearest, isInTest: isInTest)
    }
}
