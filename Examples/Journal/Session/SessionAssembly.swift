import Depin
import JournalDomain

/// Who uses the program, and what they can do.
package struct SessionAssembly: Assembly {
    package init() {}

    package func assemble(container: Container) {
        // A runtime argument says whose service it is.
        container.register(UserService.self) { (r: Resolver, user: User.ID) in
            LiveUserService(
                user: user,
                entries: r ~> (EntryStore.self, name: StoreName.entries),
                drafts: r ~> (EntryStore.self, name: StoreName.drafts)
            )
        }

        // The coordinator knows no container: it is given a factory of services, and a closure. They keep
        // the resolver of this factory, which does not keep the container alive.
        container.register(
            SessionCoordinator.self,
            mainActorFactory: { r in
                SessionCoordinator(
                    services: r ~> ServiceFactory<any UserService, User.ID>.self,
                    makeContainer: { Container(parent: r ~> Container.self) }
                )
            }
        )
        .inObjectScope(.container)
    }
}
