import Foundation
import Testing

@testable import Depin

/// An option of a key is the user's code wherever it is compared, and where it ends.
@Suite(.timeLimit(.minutes(5)))
struct `Options of keys never run under a lock` {
    private final class Option: ServiceKeyOption, Sendable {
        let onUse: @Sendable () -> Void
        let onEnd: @Sendable () -> Void
        let description = "option"

        init(
            onUse: @escaping @Sendable () -> Void = {},
            onEnd: @escaping @Sendable () -> Void = {}
        ) {
            self.onUse = onUse
            self.onEnd = onEnd
        }

        deinit {
            onEnd()
        }

        func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
            onUse()
            return another is Option
        }

        func hash(into hasher: inout Hasher) {
            onUse()
        }
    }

    private func register(_ option: Option, in container: Container) {
        container._register(
            Thing.self,
            factory: { (resolver: any Resolver) in
                use(resolver ~> Int?.self)
                return Thing()
            },
            option: option
        )
    }

    private func resolve(_ option: Option, from container: Container) -> Thing? {
        container._resolve(name: nil, option: option) {
            (factory: ((any Resolver) -> Any)) in factory(container)
        }
    }

    @Test func `when they are compared`() {
        let (container, calls) = (Container(), Shared())
        let isInside = Shared(false)
        let option = Option(onUse: { [unowned container] in
            calls.count()
            let isOuter = isInside.change { isInside in
                defer { isInside = true }
                return !isInside
            }
            guard isOuter else { return }
            changeElsewhere(container)
            isInside.change { $0 = false }
        })
        container.register(Int.self) { 1 }
        // The third time, one replacement is known already.
        for _ in 0..<3 { register(option, in: container) }
        #expect(resolve(option, from: container) != nil)
        let before = calls.value
        #expect(before > 0)

        _ = try? container.validate(severities: [.silentOverwrite: .ignored])
        let observation = container.addObserver(ResolutionTrace(print: { _ in }))
        for _ in 0..<2 { #expect(resolve(option, from: container) != nil) }
        observation.end()
        _ = container.dependencyGraph()
        _ = container.fork()
        #expect(calls.value > before)
    }

    @Test func `when they end`() {
        let (container, other) = (Container(), Container())
        let (ended, isOver) = (Shared(), Shared(false))
        func option() -> Option {
            Option(onEnd: { [unowned container] in
                // A container that goes cannot be used any more.
                changeElsewhere(isOver.value ? other : container)
                ended.count()
            })
        }
        for _ in 0..<3 { register(option(), in: container) }
        _ = try? container.validate(severities: [.silentOverwrite: .ignored])
        _ = container.dependencyGraph()
        container.unregister(Thing.self)
        #expect(ended.value > 0)
        isOver.change { $0 = true }
        use(container)
    }
}

/// Lets another thread change a container, and waits for it: in enough places to meet any lock that is
/// held, and twice in each, which is noted.
private func changeElsewhere(_ container: Container) {
    Running {
        let names = (0..<24).map { _ in UUID().uuidString }
        for name in names + names { container.register(Thing.self, name: name) { Thing() } }
        for name in names { use(container ~> (Thing.self, name: name)) }
        for name in names { container.unregister(Thing.self, name: name) }
    }
    .value
}
