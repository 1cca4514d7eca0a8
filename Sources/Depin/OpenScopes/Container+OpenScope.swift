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
    /// It is open until you close it, or until nothing holds it anymore: neither the container, nor a child, nor a
    /// `Lazy`, `Provider` or resolver of an unshared instance. Scopes nest: the scope of a request, opened
    /// on a session's, finds the services of the session. A service registered on the scope is a seed. Only
    /// this scope and those opened in it see it, and unless it sets a scope, it has one instance.
    ///
    /// Where the container is overridden, for example in a test, the scope is opened on the override.
    ///
    /// An instance that lives longer cannot have a service of the scope. If the factory of a service that
    /// the app shares requests one, it fails with an error that names both.
    ///
    /// Make the scope with ``ObjectScope/init(opened:)``. The program stops for any other.
    public func openScope(
        _ scope: ObjectScope,
        seeding: (Container) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Container {
        open(scope, seeding: seeding, isEntered: false, at: CodePlace(file: file, line: line))
    }

    /// Opens a scope, for an operation in which it is in force, or not.
    func open(
        _ scope: ObjectScope,
        seeding: (Container) -> Void,
        isEntered: Bool,
        at place: CodePlace
    ) -> Container {
        guard scope.isOpenable else {
            place.stop(
                "Depin: scope \(scope) cannot be opened: make one that can with ObjectScope(opened:)"
            )
        }
        let parent = overridden
        let opener = Resolution.withCurrent { $0.path.builder?.pointee.number ?? 0 }
        let open = OpenScope(scope: scope, place: place, isEntered: isEntered, opener: opener)
        if !OpenScope.wasOpened.load(ordering: .relaxed) {
            OpenScope.wasOpened.store(true, ordering: .relaxed)
        }
        let engine = Engine(parent: parent.engine, defaultScope: scope, opened: open)
        let opened = Container(of: Owner(engine, parent: parent.owner), parent)
        seeding(opened)
        return opened
    }
}
