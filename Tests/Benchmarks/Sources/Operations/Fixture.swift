import Depin
import DepinTesting

/// What the operations work on, made when first needed.
enum Fixture {
    static let thousand = makeSites(digits: 3)
    static let table = MutexTable.ofThousand(thousand)
    static let name = opaque("second")

    /// A thousand registrations and those that are asked for.
    static let container: Container = {
        let container = Container.with(thousand)
        container.registerGraph(in: .transient)
        return container
    }()

    /// The same, with its graph in graph scope.
    static let graphs: Container = {
        let container = Container.with(thousand)
        container.registerGraph(in: .graph)
        return container
    }()

    /// The same, with something to close at its end.
    static let closing: Container = {
        let container = Container.with(thousand)
        container.register((any Tool).self) { PlainTool() }
            .inObjectScope(.container).onClose { sink($0) }
        return container
    }()

    /// A thousand services that are made by their initializers.
    static let autoregistered: Container = {
        let container = Container()
        container.register((any Tool).self) { PlainTool() }
        for index in 0..<1000 {
            container.autoregister((any Greeter).self, name: "\(index)") { (_: any Tool) in
                NamedGreeter(name: "")
            }
        }
        return container
    }()

    /// A thousand services of an app, with three needs each.
    static let app: Container = {
        let container = Container()
        container.register((any Translations).self) { BundleTranslations() }
        container.register((any Clock).self) { SystemClock() }
        container.register((any Settings).self) { StoredSettings() }
        for index in 0..<1000 {
            container.autoregister((any Greeter).self, name: "\(index)") {
                (_: any Translations, _: any Clock, _: any Settings) in NamedGreeter(name: "")
            }
        }
        return container
    }()

    /// As many injected properties: those of this module, over and over.
    static let properties: [InjectedProperty] = {
        let all = InjectedProperty.ofThisProgram(modules: ["Operations"])
        return (0..<1000).map { all[$0 % all.count] }
    }()

    static let view = container.synchronize()

    /// Keeps the weak instance alive.
    static let draft = container ~> (any Draft).self

    /// Makes the container the one that `@Injected` asks.
    static let injection: Void = SpaceValues.updateShared { $0.dependenciesContainer = container }

    // A screen never changes, but for its `@Injected`, which any thread may use.
    nonisolated(unsafe) static let screen: InjectedScreen = {
        injection
        return InjectedScreen()
    }()

    static let constantScreen: ConstantScreen = {
        injection
        return ConstantScreen()
    }()

    static let banner = Banner()
}

extension Container {
    /// A container with so many registrations, and the services that the operations ask for, the
    /// shared ones made.
    static func with(_ sites: some Collection<Site>) -> Container {
        let container = Container()
        for site in sites {
            site.register(in: container)
        }
        container.register((any Translations).self) { BundleTranslations() }
            .inObjectScope(.container)
        container.register((any Translations).self, name: "second") { BundleTranslations() }
            .inObjectScope(.container)
        container.register((any Clock).self) { SystemClock() }.inObjectScope(.container)
        container.register((any Settings).self) { StoredSettings() }.inObjectScope(.container)
        container.register((any Tool).self) { PlainTool() }.inObjectScope(.transient)
        container.register((any Draft).self) { OpenDraft() }.inObjectScope(.weak)
        container.register((any Greeter).self) { _, name in NamedGreeter(name: name) }
            .inObjectScope(.transient)
        sink(container.resolve((any Translations).self))
        sink(container.resolve((any Translations).self, name: "second"))
        sink(container.resolve((any Clock).self))
        sink(container.resolve((any Settings).self))
        return container
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
}
