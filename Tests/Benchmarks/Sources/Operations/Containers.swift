import Depin

extension Container {
    /// A container with a thousand registrations and those that the operations ask for.
    static func ofThousand(graphScope: ObjectScope = .transient) -> Container {
        let container = Container()
        visitThousand(TagRegistration(container: container))
        container.registerServices()
        container.registerGraph(in: graphScope)
        container.buildShared()
        return container
    }

    func registerServices() {
        register((any Translations).self) { BundleTranslations() }.inObjectScope(.container)
        register((any Translations).self, name: "second") { BundleTranslations() }
            .inObjectScope(.container)
        register((any Clock).self) { SystemClock() }.inObjectScope(.container)
        register((any Settings).self) { StoredSettings() }.inObjectScope(.container)
        register((any Tool).self) { PlainTool() }.inObjectScope(.transient)
        register((any Greeter).self) { _, name in NamedGreeter(name: name) }
            .inObjectScope(.transient)
    }

    func registerGraph(in scope: ObjectScope) {
        register((any Leaf1).self) { LiveLeaf1() }.inObjectScope(scope)
        register((any Leaf2).self) { LiveLeaf2() }.inObjectScope(scope)
        register((any Leaf3).self) { LiveLeaf3() }.inObjectScope(scope)
        register((any Leaf4).self) { LiveLeaf4() }.inObjectScope(scope)
        register((any Leaf5).self) { LiveLeaf5() }.inObjectScope(scope)
        register((any Leaf6).self) { LiveLeaf6() }.inObjectScope(scope)
        register((any Left).self) { resolver in
            LiveLeft(one: resolver ~> (any Leaf1).self, two: resolver ~> (any Leaf2).self)
        }
        .inObjectScope(scope)
        register((any Middle).self) { resolver in
            LiveMiddle(one: resolver ~> (any Leaf3).self, two: resolver ~> (any Leaf4).self)
        }
        .inObjectScope(scope)
        register((any Right).self) { resolver in
            LiveRight(one: resolver ~> (any Leaf5).self, two: resolver ~> (any Leaf6).self)
        }
        .inObjectScope(scope)
        register((any Root).self) { resolver in
            LiveRoot(
                left: resolver ~> (any Left).self,
                middle: resolver ~> (any Middle).self,
                right: resolver ~> (any Right).self
            )
        }
        .inObjectScope(scope)
    }

    func buildShared() {
        sink(resolve((any Translations).self))
        sink(resolve((any Translations).self, name: "second"))
        sink(resolve((any Clock).self))
        sink(resolve((any Settings).self))
    }
}
