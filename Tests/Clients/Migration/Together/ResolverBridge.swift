import Depin
import NewsServices
import Resolver

import class Resolver.Resolver

// Half of the app has moved: what is registered here still comes from Resolver. Both modules have a
// `Resolver`; the import of the class says which one the word means in this file.

struct ResolverAssembly: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { Resolver.resolve() }
    }

    func loaded(resolver: Depin.Resolver) {}
}
