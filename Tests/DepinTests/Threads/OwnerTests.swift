import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `Who keeps a container open` {
    /// What a child keeps, with the resolver that it was given.
    private final class Kept: Sendable {
        let resolver: any Resolver
        init(_ resolver: any Resolver) { self.resolver = resolver }
    }

    @Test func `is there together with who keeps its parent open, or not at all`() {
        for _ in 0..<3_000 {
            var child: Container? = Container(
                parent: Container { $0.register(Int.self) { 1 } }
            ) { child in
                child.register(Kept.self) { Kept($0) }.inObjectScope(.container)
            }
            guard let resolver = child?.resolve(Kept.self)?.resolver else { return }
            let begin = Gate()
            let asker = Running { () -> Bool in
                begin.wait()
                guard let found = try? resolver.require(Container.self) else { return true }
                return (try? found.require(Int.self)) == 1
            }
            begin.open()
            child = nil
            #expect(asker.value)
        }
    }

    @Test func `is not there without who keeps its parent open`() {
        let parent = Core(parent: nil, defaultScope: ObjectScope.graph)
        let child = Core(parent: parent, defaultScope: ObjectScope.graph)
        // The last owner is about to go, and the parent's has gone with it.
        let last = CoreOwner(child, parent: nil)
        #expect(CoreOwner(beside: child) == nil)
        use(last)
    }

    @Test func `is one more while there is one`() {
        let core = Core(parent: nil, defaultScope: ObjectScope.graph)
        var first: CoreOwner? = CoreOwner(core, parent: nil)
        use(first)
        var second = CoreOwner(beside: core)
        #expect(second != nil)
        first = nil
        #expect(!core.isGone)
        second = nil
        #expect(core.isGone)
        #expect(CoreOwner(beside: core) == nil)
    }
}
