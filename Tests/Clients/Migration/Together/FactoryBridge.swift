import Depin
import FactoryKit
import NewsServices

import class Depin.Container

// Half of the app has moved: what is registered here still comes from Factory. Both modules have a
// `Container`; the import of the class says which one the word means in this file.

extension FactoryKit.Container {
    var oldAPI: Factory<API> { self { LiveAPI(log: MemoryLog()) }.singleton }
}

struct FactoryAssembly: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { FactoryKit.Container.shared.oldAPI() }
    }
}
