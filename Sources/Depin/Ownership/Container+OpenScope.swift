extension Container {
    /// Opens a scope: a child container in which each registration of the scope has one instance.
    ///
    /// ```swift
    /// extension ObjectScope { static let session = ObjectScope(opened: "session") }
    /// container.register(Cart.self) { r in Cart(of: r ~> User.self) }.inObjectScope(.session)
    ///
    /// let session = container.openScope(.session) { $0.register(User.self, instance: user) }
    /// let cart = session ~> Cart.self
    /// ```
    ///
    /// It is open for as long as somebody holds the container. Scopes nest: a request's, opened on the
    /// session, finds what the session has. What is registered on the scope is a seed: only this scope, and
    /// what is opened in it, sees it, and where it names no scope, there is one instance of it.
    ///
    /// What lives longer may not be given a service of the scope: a service that the app shares, whose
    /// factory asks for one, fails with an error that names both.
    ///
    /// The scope is one made with ``ObjectScope/init(opened:)``; any other one stops the program.
    public func openScope(
        _ scope: ObjectScope,
        seeding: (Container) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Container {
        let place = CodePlace(file: file, line: line)
        guard scope.kind == .opened, !scope.isPerArguments else {
            place.stop(
                "Depin: scope \(scope) does not open: make one that does with ObjectScope(opened:)"
            )
        }
        let parent = inForce
        let opener = Path.withCurrent { $0.builder?.number ?? 0 }
        let core = Core(
            parent: parent.core,
            defaultScope: scope,
            opened: OpenScope(scope, at: place, by: opener)
        )
        let opened = Container(of: CoreOwner(core, parent: parent.owner), parent)
        seeding(opened)
        return opened
    }
}
