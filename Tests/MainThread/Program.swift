import Depin
import DepinInspection
import Foundation

/// Validates on its main thread, which runs main-actor factories itself and cannot be left behind.
@main
enum Program {
    static func main() throws {
        switch CommandLine.arguments.last {
        case "missing": _ = try? missing.validate()
        case "provided": _ = try? needing.validate(.init(providing: [Leaf.self]))
        case "queue": onQueue()
        default: try fine.validate()
        }
    }

    /// A queue runs what it is given synchronously on the thread that gives it.
    private static func onQueue() {
        let container = Container()
        container.register(Screen.self, mainActorFactory: { Screen() })
        DispatchQueue(label: "queue").sync {
            print("made on the main thread:", (try? container.require(Screen.self)) != nil)
        }
    }

    /// It says which thread runs which factory.
    private static var fine: Container {
        let container = Container()
        container.register(Product.self) { r in
            print("factory on the main thread:", Thread.isMainThread)
            return Product(try r.require(Screen.self))
        }
        container.register(
            Screen.self,
            mainActorFactory: { r in
                MainActor.preconditionIsolated()
                print("main-actor factory on the main thread:", Thread.isMainThread)
                return Screen(r ~> Twig.self)
            }
        )
        .inObjectScope(.container)
        .initCompleted { _, _ in
            MainActor.preconditionIsolated()
            print("its callback on the main thread:", Thread.isMainThread)
        }
        container.decorate(Screen.self) { _, screen in
            MainActor.preconditionIsolated()
            print("its decorator on the main thread:", Thread.isMainThread)
            return screen
        }
        container.register(Twig.self) { Twig() }
        return Container(parent: container) { child in
            child.decorate(Screen.self) { _, screen in
                MainActor.preconditionIsolated()
                print("a child's decorator on the main thread:", Thread.isMainThread)
                return screen
            }
        }
    }

    private static var needing: Container {
        let container = Container()
        container.register(Screen.self, mainActorFactory: { r in Screen(r ~> Leaf.self) })
        return container
    }

    private static var missing: Container {
        let container = needing
        container.register(Twig.self, mainActorFactory: { r in Twig(try r.require(Leaf.self)) })
        container.register(Product.self) { r in Product(r ~> Leaf.self) }
        return container
    }
}

private final class Leaf: Sendable {}
private final class Twig: Sendable {
    init(_: Any...) {}
}
private final class Product: Sendable {
    init(_: Any...) {}
}
@MainActor private final class Screen {
    init(_: Any...) {}
}
