import Foundation
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A swarm` {
    @Test func `of tasks in the cooperative pool builds each shared instance once`() async {
        let (container, built) = (Container(), Shared())
        for index in 0..<20 {
            container.register(Thing.self, name: "\(index)") { resolver in
                built.count()
                // Each needs the one before, so tasks that start anywhere meet.
                guard index > 0 else { return Thing(1) }
                return Thing((resolver ~> (Thing.self, name: "\(index - 1)")).number + 1)
            }
            .inObjectScope(index % 2 == 0 ? .container : SharedScope.stored.scope)
        }
        let numbers = await withTaskGroup(of: Int.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    let name = "\(index * 7 % 20)"
                    let thing = container ~> (Thing.self, name: name)
                    await Task.yield()
                    return (container ~> (Thing.self, name: name)) === thing ? thing.number : -1
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers == Set(1...20))
        #expect(built.value == 20)
    }

    @Test func `lets only those wait who need what is being built`() async {
        let (container, inFactory, open) = (Container(), Gate(), Gate())
        container.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing()
        }
        .inObjectScope(.container)
        container.register(String.self) { "free" }.inObjectScope(.container)
        let builder = Running { container ~> Thing.self }
        inFactory.wait()
        let needing = Running { container ~> Thing.self }
        needing.untilItWaits()
        // Not one thread of the pool is lost to the two that wait outside of it.
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<500 { group.addTask { container ~> String.self } }
            return await group.reduce(into: 0) { $0 += $1 == "free" ? 1 : 0 }
        }
        #expect(answers == 500)
        open.open()
        #expect(builder.value === needing.value)
    }

    @Test func `of threads looks up while the registry grows`() {
        let container = Container()
        container.register(Int.self) { 1 }
        container.register(Thing.self) { Thing() }.inObjectScope(.container)
        let results = onThreads(6) { index in
            var found = 0
            for round in 0..<400 {
                if index < 2 {
                    let name = "\(index) \(round)"
                    container.register(Int.self, name: name) { round }
                    if (container ~> (Int.self, name: name)) == round { found += 1 }
                } else {
                    use(container ~> Thing.self)
                    use(container.resolve(Int.self, name: "0 \(round)"))
                    use(container.resolve(String?.self))
                    found += (container ~> Int.self)
                }
            }
            return found
        }
        #expect(results == Array(repeating: 400, count: 6))
    }

    @Test func `of threads resolves while the container goes`() {
        for _ in 0..<100 {
            let released = Shared()
            let kept = Shared<(any Resolver)?>(nil)
            func makeResolver() -> any Resolver {
                let container = Container()
                container.register((any Resolver).self) { $0 }
                container.register(Releasing.self) { resolver in
                    Releasing(resolver, released)
                }
                .inObjectScope(.container)
                container.register(Thing.self) { Thing((try $0.require(Releasing.self)).number) }
                kept.change { $0 = (container ~> (any Resolver).self) }
                return container
            }
            let container = Shared<(any Resolver)?>(makeResolver())
            let results = onThreads(4) { index in
                guard index > 0, let resolver = kept.value else {
                    container.change { $0 = nil }
                    return true
                }
                for _ in 0..<20 {
                    do {
                        guard try resolver.require(Thing.self).number == 1 else { return false }
                    } catch let error as ResolutionError {
                        switch error.reason {
                        case .containerGone, .notRegistered: break
                        default: return false
                        }
                    } catch {
                        return false
                    }
                }
                return true
            }
            #expect(results.allSatisfy { $0 })
            kept.change { $0 = nil }
            #expect(released.value == 0)
        }
    }

    private final class Releasing: Sendable {
        let resolver: any Resolver
        let released: Shared<Int>
        let number = 1

        init(_ resolver: any Resolver, _ released: Shared<Int>) {
            self.resolver = resolver
            self.released = released
            released.count()
        }

        deinit {
            released.change { $0 -= 1 }
        }
    }
}
