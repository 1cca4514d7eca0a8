import Depin
import Testing

@Suite("What happens to arguments")
struct ArgumentLifetimeTests {
    /// Counts itself while it lives, in a counter of the test's own.
    final class Token: Hashable {
        final class Counter { var live = 0 }
        let counter: Counter

        init(_ counter: Counter) {
            self.counter = counter
            counter.live += 1
        }

        deinit { counter.live -= 1 }

        static func == (one: Token, other: Token) -> Bool { one === other }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    final class Leaf {
        let token: Token
        init(_ token: Token) { self.token = token }
    }

    final class Pair {
        let one: Leaf
        let other: Leaf
        init(_ one: Leaf, _ other: Leaf) {
            self.one = one
            self.other = other
        }
    }

    @Test func `arguments are released with the graph that compared them`() {
        let counter = Token.Counter()
        let container = Container()
        container.register(Leaf.self) { (_, token: Token) in Leaf(token) }
        container.register(Pair.self) { (resolver, token: Token) in
            Pair(
                resolver ~> (Leaf.self, argument: token),
                resolver ~> (Leaf.self, argument: token)
            )
        }
        for _ in 0..<10 {
            let pair = container ~> (Pair.self, argument: Token(counter))
            #expect(pair.one === pair.other)
        }
        #expect(counter.live == 0)
    }

    @Test func `arguments are released when a cycle ends the resolution`() {
        let counter = Token.Counter()
        let container = Container()
        container.register(Leaf.self) { (resolver: any Resolver, token: Token) in
            try resolver.require(Leaf.self, argument: token)
        }
        for _ in 0..<10 {
            #expect(throws: ResolutionError.self) {
                try container.require(Leaf.self, argument: Token(counter))
            }
        }
        #expect(counter.live == 0)
    }

    @Test func `arguments are released when the main actor is missed`() async {
        let counter = Token.Counter()
        let container = Container()
        container.register(
            Leaf.self,
            mainActorFactory: { (_: any Resolver, token: Token) in Leaf(token) }
        )
        #expect(throws: ResolutionError.self) {
            try container.require(Leaf.self, argument: Token(counter))
        }
        #expect(counter.live == 0)
    }
}
