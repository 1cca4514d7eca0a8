import Depin
import Testing

struct `Autoregistration` {
    private let container = Container()

    @Test func `an initializer without parameters`() {
        container.autoregister(Leaf.self, initializer: Leaf.init)
        container.autoregister(Leaf.self, name: "n", initializer: { Leaf() })

        #expect(container.resolve(Leaf.self) != nil)
        #expect(container.resolve(Leaf.self, name: "n") != nil)
    }

    @Test func `parameters are resolved by their types, in one graph`() throws {
        container.autoregister(Leaf.self, initializer: Leaf.init)
        container.autoregister(Plant.self, initializer: Twig.init(leaf:))
        container.autoregister(Tree.self, initializer: Tree.init)

        let tree = try container.require(Tree.self)
        #expect((tree.plant as? Twig)?.leaf === tree.leaf)
        #expect(tree.missing == nil)
        #expect(tree.lazy.instance === tree.leaf)
        #expect(tree.provider.instance !== tree.leaf)
    }

    @Test func `twenty parameters`() throws {
        container.register(Int.self) { _ in 1 }
        container.autoregister(String.self) {
            (
                a: Int,
                b: Int,
                c: Int,
                d: Int,
                e: Int,
                f: Int,
                g: Int,
                h: Int,
                i: Int,
                j: Int,
                k: Int,
                l: Int,
                m: Int,
                n: Int,
                o: Int,
                p: Int,
                q: Int,
                r: Int,
                s: Int,
                t: Int
            ) in
            let first = a + b + c + d + e + f + g + h + i + j
            return "\(first + k + l + m + n + o + p + q + r + s + t)"
        }
        #expect(try container.require(String.self) == "20")
    }

    @Test func `a closure says which initializer`() throws {
        container.autoregister(Leaf.self, initializer: Leaf.init)
        container.autoregister(Twig.self) { Twig(leaf: $0) }

        _ = try container.require(Twig.self)
    }

    @Test func `one runtime argument, wherever it stands among the parameters`() throws {
        container.autoregister(Leaf.self, initializer: Leaf.init)
        container.autoregister(
            Label.self,
            argument: String.self,
            initializer: Label.init(text:leaf:)
        )
        container.autoregister(
            Label.self,
            name: "n",
            argument: String.self,
            initializer: Label.init(leaf:text:)
        )
        #expect(container.resolve(Label.self, argument: "a")?.text == "a")
        #expect((container ~> (Label.self, name: "n", argument: "b")).text == "b")
        #expect(container.resolve(Label.self) == nil)
    }

    @Test func `several runtime arguments`() throws {
        container.autoregister(Leaf.self, initializer: Leaf.init)
        container.autoregister(
            Label.self,
            arguments: String.self,
            Int.self,
            initializer: Label.init(text:number:leaf:)
        )
        let label = try container.require(Label.self, arguments: "a", 5)
        #expect(label.text == "a")
        #expect(label.number == 5)
        #expect(container.resolve(Label.self, arguments: 5, "a") == nil)
    }

    @Test func `two arguments of one type go in the order of the parameters`() throws {
        container.autoregister(
            Pair.self,
            arguments: String.self,
            String.self,
            initializer: Pair.init
        )
        let pair = try container.require(Pair.self, arguments: "a", "b")
        #expect(pair.one == "a")
        #expect(pair.other == "b")
    }

    @Test func `an entry is configured as any other`() throws {
        let completions = CallCount()
        container.autoregister(Leaf.self, initializer: Leaf.init)
            .inObjectScope(.container)
            .implements(AnyObject.self)
            .initCompleted { _, _ in completions.add() }

        #expect(container.resolve(AnyObject.self) === container.resolve(Leaf.self))
        #expect(completions.count == 1)
    }

    @Test func `a parameter that is not registered is an error with its path`() throws {
        container.autoregister(Twig.self, initializer: Twig.init(leaf:))

        let error = try #require(throws: ResolutionError.self) { try container.require(Twig.self) }
        #expect(error.request.serviceType is Leaf.Type)
        #expect(error.path.count == 1)
    }

    @Test func `an initializer may throw`() {
        struct Failure: Error {}
        container.autoregister(Int.self) { () throws -> Int in throw Failure() }

        #expect(throws: ResolutionError.self) { try container.require(Int.self) }
    }
}

private protocol Plant {}

private final class Leaf {}

private final class Twig: Plant {
    let leaf: Leaf

    init(leaf: Leaf) { self.leaf = leaf }
}

private struct Tree {
    let leaf: Leaf
    let plant: Plant
    let missing: Int?
    let lazy: Lazy<Leaf>
    let provider: Provider<Leaf>
}

private struct Label {
    let text: String
    let number: Int

    init(text: String, leaf: Leaf) { (self.text, number) = (text, 0) }

    init(leaf: Leaf, text: String) { (self.text, number) = (text, 0) }

    init(text: String, number: Int, leaf: Leaf) { (self.text, self.number) = (text, number) }
}

private struct Pair {
    let one: String
    let other: String
}
