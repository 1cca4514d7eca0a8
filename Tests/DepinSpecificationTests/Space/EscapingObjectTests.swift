import Depin
import Foundation
import Testing

/// An object made inside `withSpace` works for ever, however much of it is used later.
///
/// Each runs in a process of its own, since a service that cannot be had stops it. A screen has one
/// property only: another one, still unread, would hold what this one needs.
struct `An object that leaves its space` {
    //  Screen ── @Injected ──► Provider, Lazy, Coordinator ··► Session ──► Clock

    @Test func `has a Provider that still makes new ones`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) { Screen<Provider<Session>>() }
            let (one, other) = (screen.service.instance, screen.service.instance)
            expect(one !== other, "a Provider has one instance")
            expect(one.clock.isFake && other.clock.isFake, "it came from another container")
        }
    }

    @Test func `has a Provider that was read inside`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) {
                let screen = Screen<Provider<Session>>()
                _ = screen.service
                return screen
            }
            expect(screen.service.instance.clock.isFake, "it came from another container")
        }
    }

    @Test func `has a Lazy that is first used outside`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) { Screen<Lazy<Session>>() }
            expect(screen.service.instance === screen.service.instance, "a Lazy has two instances")
            expect(screen.service.instance.clock.isFake, "it came from another container")
        }
    }

    @Test func `has a Lazy that was read inside`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) {
                let screen = Screen<Lazy<Session>>()
                _ = screen.service
                return screen
            }
            expect(screen.service.instance.clock.isFake, "it came from another container")
        }
    }

    @Test func `has a service with a closure that resolves`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) { Screen<Coordinator>() }
            let session = screen.service.makeSession()
            expect(session.clock.isFake, "it came from another container")
            expect(screen.service.makeSession() !== session, "it was kept")
        }
    }

    @Test func `has services whose own are deferred, as deep as one goes`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) { Screen<Provider<Folder>>() }
            expect(screen.service.instance.deepest.clock.isFake, "at the end")
            let inner = { screen.service.instance.inner.instance }()
            expect(inner.coordinator.instance.makeSession().clock.isFake, "with the outer one gone")
        }
    }

    @Test func `has a shared service, whose own property is first read outside`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) { Screen<Library>() }
            expect(screen.service.clock.isFake, "it came from another container")
        }
    }

    @Test func `has a shared service as an optional, and one of the parent`() async {
        await #expect(processExitsWith: .success) {
            let screen = withSpace(overriding: registerServices) { Screen<Library?>() }
            expect(screen.service?.clock.isFake == true, "as an optional")
            let inner = inSpaceOfItsOwn { Screen<Library>() }
            expect(inner.service.clock.isFake, "of the parent")
        }
    }

    @Test func `was made in a graph, and has a property that is first read outside`() async {
        await #expect(processExitsWith: .success) {
            typealias Page = Screen<Provider<Session>>
            let page = withSpace(overriding: registerServices) {
                let container = SpaceValues.current.dependenciesContainer
                container.register(Page.self) { Page() }
                return container ~> Page.self
            }
            expect(page.service.instance.clock.isFake, "it came from another container")
        }
    }

    @Test func `works on another thread, after all else is gone`() async {
        await #expect(processExitsWith: .success) {
            let isFake = onThread { () -> [Bool] in
                let screens = withSpace(overriding: registerServices) {
                    (
                        Screen<Provider<Session>>(), Screen<Lazy<Session>>(),
                        Screen<Coordinator>(), Screen<Folder>()
                    )
                }
                return [
                    onThread { screens.0.service.instance.clock.isFake },
                    onThread { screens.1.service.instance.clock.isFake },
                    onThread { screens.2.service.makeSession().clock.isFake },
                    onThread { screens.3.service.deepest.clock.isFake },
                ]
                .map { $0 == true }
            }
            expect(isFake == [true, true, true, true], "\(String(describing: isFake))")
        }
    }

    @Test func `works in a detached task`() async {
        await #expect(processExitsWith: .success) {
            let provider = await withSpace(
                overriding: registerServices,
                operation: {
                    await Task.yield()
                    return Screen<Provider<Session>>()
                }
            )
            let coordinator = await withSpace(
                overriding: registerServices,
                operation: {
                    await Task.yield()
                    return Screen<Coordinator>()
                }
            )
            let isFake = await Task.detached {
                await Task.yield()
                return provider.service.instance.clock.isFake
                    && coordinator.service.makeSession().clock.isFake
            }.value
            expect(isFake, "it came from another container")
        }
    }

    @Test func `works in a space whose container nobody else holds`() async {
        await #expect(processExitsWith: .success) {
            let provider = inSpaceOfItsOwn { Screen<Provider<Session>>() }
            expect(provider.service.instance.clock.isFake, "Provider")
            let lazy = inSpaceOfItsOwn { Screen<Lazy<Session>>() }
            expect(lazy.service.instance.clock.isFake, "Lazy")
            let coordinator = inSpaceOfItsOwn { Screen<Coordinator>() }
            expect(coordinator.service.makeSession().clock.isFake, "closure")
        }
    }

    @Test func `is made by the container, which is gone at once`() async {
        await #expect(processExitsWith: .success) {
            let provider = madeByContainerThatIsGone(Provider<Session>.self)
            expect(provider.instance.clock.isFake, "Provider")
            let lazy = madeByContainerThatIsGone(Lazy<Session>.self)
            expect(lazy.instance.clock.isFake, "Lazy")
            let coordinator = madeByContainerThatIsGone(Coordinator.self)
            expect(coordinator.makeSession().clock.isFake, "closure")
            let folder = madeByContainerThatIsGone(Folder.self)
            expect(folder.deepest.clock.isFake, "what a Lazy has made")
        }
    }

    @Test func `has a container to give to a shared service`() async {
        await #expect(processExitsWith: .success) {
            let provider = madeByContainerThatIsGone(Provider<Shelf>.self)
            let shelf = provider.instance
            expect((shelf.makeContainer() ~> Clock.self).isFake, "it is another container")
            shelf.leave()
        }
    }

    @Test func `lets its container go with it`() async {
        await #expect(processExitsWith: .success) {
            let population = Population()
            leave(Provider<Session>.self, population) { _ in nil }
            leave(Provider<Session>.self, population) { $0.instance }
            leave(Lazy<Session>.self, population) { _ in nil }
            leave(Lazy<Session>.self, population) { $0.instance }
            leave(Coordinator.self, population) { $0.makeSession() }
            leave(Folder.self, population) { $0.deepest }
            leave(Library.self, population) { _ in nil }
            expect(population.total == 7 && population.alive == 0, "\(population.alive) alive")
        }
    }
}

private final class Clock: Sendable {
    let isFake: Bool
    init(isFake: Bool) { self.isFake = isFake }
}

private final class Session: Sendable {
    let clock: Clock
    init(_ clock: Clock) { self.clock = clock }
}

/// Shared, and with a property.
private final class Library: Sendable {
    private let injectedClock = Injected<Clock>()
    var clock: Clock { injectedClock.wrappedValue }
}

/// Shared, and makes children of the container.
private final class Shelf: Sendable {
    private let container: Container
    init(_ container: Container) { self.container = container }

    func makeContainer() -> Container { Container(parent: container) }

    /// Unties the knot: the container keeps the shelf, and the shelf the container.
    func leave() { container.removeAll() }
}

private final class Coordinator: Sendable {
    let makeSession: @Sendable () -> Session
    init(_ makeSession: @escaping @Sendable () -> Session) { self.makeSession = makeSession }
}

private final class Folder: Sendable {
    let inner: Lazy<InnerFolder>
    init(_ inner: Lazy<InnerFolder>) { self.inner = inner }

    var deepest: Session { inner.instance.coordinator.instance.makeSession() }
}

private final class InnerFolder: Sendable {
    let coordinator: Provider<Coordinator>
    init(_ coordinator: Provider<Coordinator>) { self.coordinator = coordinator }
}

private final class Screen<Service> {
    @Injected var service: Service
}

extension Screen: @unchecked Sendable where Service: Sendable {}

private func inSpaceOfItsOwn<Made>(_ make: () -> Made) -> Made {
    let container = Container(parent: Container(registeringClosure: registerServices))
    return withSpace(\.dependenciesContainer, container) { make() }
}

/// Makes a screen and uses it after its space, and notes the container.
private func leave<Service>(
    _: Service.Type,
    _ population: Population,
    _ use: (Service) -> Session?
) {
    let screen = withSpace(
        overriding: registerServices,
        operation: {
            population.add(SpaceValues.current.dependenciesContainer)
            return Screen<Service>()
        }
    )
    _ = use(screen.service)?.clock
}

private func madeByContainerThatIsGone<Service>(_: Service.Type) -> Service {
    Container(registeringClosure: registerServices) ~> Service.self
}

@Sendable
private func registerServices(in container: Container) {
    container.register(Clock.self) { Clock(isFake: true) }
    container.register(Session.self) { Session($0 ~> Clock.self) }
    container.register(Coordinator.self) { resolver in
        Coordinator { resolver ~> Session.self }
    }
    container.register(Folder.self) { Folder($0 ~> Lazy<InnerFolder>.self) }
    container.register(InnerFolder.self) { InnerFolder($0 ~> Provider<Coordinator>.self) }
    container.register(Shelf.self) { Shelf($0 ~> Container.self) }.inObjectScope(.container)
    container.register(Library.self) { Library() }.inObjectScope(.container)
}
