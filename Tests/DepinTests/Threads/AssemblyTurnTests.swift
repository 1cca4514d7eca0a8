import Testing

@testable import Depin

struct `Two threads that apply assemblies` {
    @Test(arguments: [false, true])
    func `wait for each other's registrations`(isInChild: Bool) {
        let parent = Assembler()
        let other = isInChild ? Assembler(parentAssembler: parent) : parent
        let feed = Shared<Running<Int?>?>(nil)
        parent.apply(
            Network {
                let running = Running {
                    other.apply(Feed())
                    return other.resolver.resolve(Int.self)
                }
                feed.change { $0 = running }
                running.untilItWaitsOrEnds()
            }
        )

        #expect(feed.value?.value == 1)
        #expect(other.resolver.resolve(String.self) == "1 at the time")
    }

    @Test func `of containers that have nothing in common do not`() {
        Assembler().apply(
            Network {
                #expect(Running { Assembler { Feed() }.resolver.resolve(Int.self) }.value == 1)
            }
        )
    }
}

private struct Network: Assembly {
    var whileRegistering: @Sendable () -> Void = {}

    func assemble(container: Container) {
        whileRegistering()
        container.register(Int.self) { 1 }
    }
}

private struct Feed: Assembly {
    var requires: [any Assembly] { [Network()] }

    func assemble(container: Container) {
        let number = container.resolve(Int.self).map { "\($0)" } ?? "nothing"
        container.register(String.self) { "\(number) at the time" }
    }
}
