import Depin
import Testing

@Suite("What @Injected holds")
struct InjectedLifetimeTests {
    final class Clock {}

    final class Diary {
        @Injected var clock: Clock
        init() {}
    }

    @Test func `a singleton that has used its property does not keep the overriding container`() {
        weak var container: Container?
        weak var diary: Diary?
        do {
            let fake = Container()
            fake.register(Clock.self) { Clock() }
            fake.register(Diary.self) { Diary() }.inObjectScope(.container)
            withSpace(\.dependenciesContainer, fake) {
                let made = fake ~> Diary.self
                _ = made.clock
                diary = made
            }
            container = fake
            #expect(diary != nil)
        }
        #expect(container == nil)
        #expect(diary == nil)
    }

    @Test func `a property keeps the overrides until it has its service`() {
        var diary: Diary?
        withSpace(
            overriding: { $0.register(Clock.self) { Clock() } },
            operation: { diary = Diary() }
        )
        #expect(diary?.clock != nil)
        #expect(diary?.clock === diary?.clock)
    }

    @Test func `a property does not see an override that begins after its object was made`() {
        let clock = Clock()
        withSpace {
            $0.dependenciesContainer = Container()
            $0.dependenciesContainer.register(Clock.self, instance: clock)
        } operation: {
            let diary = Diary()
            withSpace {
                $0.dependenciesContainer = Container()
                $0.dependenciesContainer.register(Clock.self) { Clock() }
            } operation: {
                #expect(diary.clock === clock)
            }
        }
    }

    @Test func `a property lets go of the overrides when it has its service`() {
        weak var container: Container?
        var diary: Diary?
        do {
            let fake = Container()
            fake.register(Clock.self) { Clock() }
            container = fake
            diary = withSpace(\.dependenciesContainer, fake) { Diary() }
        }
        #expect(container != nil)
        #expect(diary?.clock != nil)
        #expect(container == nil)
    }

    @Test func `a property of a service that nothing shares keeps no other of its container`() {
        weak var other: Diary?
        let diary: Diary
        do {
            let (fake, instance) = (Container(), Diary())
            fake.register(Clock.self) { Clock() }
            fake.register(Diary.self, instance: instance)
            other = instance
            diary = withSpace(\.dependenciesContainer, fake) { Diary() }
        }
        #expect(other != nil)
        _ = diary.clock
        withExtendedLifetime(diary) { #expect(other == nil) }
    }

    @Test func `a property keeps its service after a reset`() {
        let container = Container()
        container.register(Clock.self) { Clock() }.inObjectScope(.container)
        let diary = withSpace(\.dependenciesContainer, container) { Diary() }
        let clock = diary.clock
        container.resetObjectScope(.container)
        let another = container ~> Clock.self
        #expect(diary.clock === clock)
        #expect(another !== clock)
    }
}
