import Depin
import JournalDomain

/// Logs users in and out.
@MainActor
package final class SessionCoordinator {
    private let services: ServiceFactory<any UserService, User.ID>
    private let makeContainer: () -> Container

    /// The session of whoever is logged in.
    package private(set) var session: Session?

    package init(
        services: ServiceFactory<any UserService, User.ID>,
        makeContainer: @escaping () -> Container
    ) {
        self.services = services
        self.makeContainer = makeContainer
    }

    package func logIn(as user: User.ID) -> Session {
        let session = Session(service: services(user), container: makeContainer())
        self.session = session
        return session
    }

    /// Drops the session, its container, and all that lives in it.
    package func logOut() {
        session = nil
    }
}

/// The time between log-in and log-out, with a container for what exists only then.
///
/// The container is a child of the app's: what is asked here finds the app's registrations, and
/// `UserService` without an argument, which is that of the user who is logged in.
package final class Session: Sendable {
    package let user: User.ID
    private let container: Container

    /// Gives out what there is in this session.
    package var resolver: any Resolver { container }

    init(service: any UserService, container: Container) {
        user = service.user
        self.container = container
        container.register(UserService.self, instance: service)
    }
}
