import Depin
import Testing

struct `Operators` {
    private let container = Container { container in
        container.register(Label.self) { _ in Label("plain") }
        container.register(Label.self, name: "n") { _ in Label("named") }
        container.register(Label.self) { (_, text: String) in Label(text) }
        container.register(Label.self, name: "n") { (_, text: String) in Label("named \(text)") }
        container.register(Label.self) { (_, text: String, number: Int) in
            Label("\(text) \(number)")
        }
        container.register(Label.self, name: "n") { (_, text: String, number: Int) in
            Label("named \(text) \(number)")
        }
    }

    @Test func `every shape of the binary operator`() {
        let name: String? = "n"
        #expect((container ~> Label.self).text == "plain")
        #expect((container ~> (Label.self, name: "n")).text == "named")
        #expect((container ~> (Label.self, name: name)).text == "named")
        #expect((container ~> (Label.self, name: Name.n)).text == "named")
        #expect((container ~> (Label.self, argument: "a")).text == "a")
        #expect((container ~> (Label.self, name: "n", argument: "a")).text == "named a")
        #expect((container ~> (Label.self, arguments: ("a", 1))).text == "a 1")
        #expect((container ~> (Label.self, name: "n", arguments: ("a", 1))).text == "named a 1")
    }

    @Test func `a value without a label is an argument, never a name`() throws {
        #expect((container ~> (Label.self, "a")).text == "a")
        container.register(Int.self, name: "n") { 1 }
        container.register(Int.self) { (_, name: Name) in name.rawValue.count }
        #expect((container ~> (Int.self, Name.n)) == 1)
    }

    @Test func `twelve arguments in one tuple`() {
        container.register(Int.self) {
            (
                _,
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
                l: Int
            ) in
            let first = a + b + c + d + e + f
            return first + g + h + i + j + k + l
        }
        let sum = container ~> (Int.self, arguments: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
        #expect(sum == 78)
    }

    @Test func `the postfix operator takes the type from the context`() {
        let label: Label = container~>
        #expect(label.text == "plain")
        func text(of label: Label) -> String { label.text }
        #expect(text(of: container~>) == "plain")
        #expect((container~> as Label).text == "plain")
    }

    @Test func `every resolver has them`() {
        let resolver: Resolver = container
        let view = container.synchronize()
        let child = Container(parent: container)
        let assembler = Assembler(container: container)

        #expect((resolver ~> Label.self).text == "plain")
        #expect((view ~> (Label.self, argument: "a")).text == "a")
        #expect((child ~> (Label.self, name: "n")).text == "named")
        #expect((assembler.resolver ~> (Label.self, arguments: ("a", 1))).text == "a 1")
        let label: Label = view~>
        #expect(label.text == "plain")
    }

    @Test func `inside factories of every shape`() throws {
        container.register(Pair.self) { resolver in
            Pair(one: resolver ~> Label.self, other: resolver ~> (Label.self, name: "n"))
        }
        #expect(try container.require(Pair.self).other.text == "named")
        container.register(Pair.self) { resolver in Pair(one: resolver~>, other: resolver~>) }
        #expect(try container.require(Pair.self).other.text == "plain")
        container.register(Pair.self) { (resolver, text: String) in
            Pair(one: resolver ~> (Label.self, argument: text), other: resolver~>)
        }
        #expect(try container.require(Pair.self, argument: "a").one.text == "a")
        container.register(Pair.self) { resolver, text, number in
            Pair(one: resolver ~> (Label.self, arguments: (text as String, number as Int)))
        }
        #expect(try container.require(Pair.self, arguments: "a", 1).one.text == "a 1")
        container.register(Pair.self) { Pair(one: $0 ~> Label.self, other: $0~>) }
        #expect(try container.require(Pair.self).one.text == "plain")
    }

    @Test func `a product is converted to what the parameter asks for`() throws {
        container.register(Frame.self) { (resolver, text: String) in
            Frame(content: resolver ~> (Label.self, argument: text))
        }
        #expect((try container.require(Frame.self, argument: "a").content as? Label)?.text == "a")
    }

    @Test func `autoResolve takes the type from the context`() {
        let label: Label = container.autoResolve()
        let named: Label = container.autoResolve(name: Name.n)
        let resolver: Resolver = container
        let again: Label = resolver.autoResolve()
        #expect([label.text, named.text, again.text] == ["plain", "named", "plain"])
    }

    @Test func `what cannot be had stops the program with the whole message`() async throws {
        let byType = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                print(Container() ~> Int.self)
            }
        )
        #expect(text(byType).contains("nothing is registered for Int"))
        let byContext = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let number: Int = Container()~>
                print(number)
            }
        )
        #expect(text(byContext).contains("nothing is registered for Int"))
    }

    private func text(_ result: ExitTest.Result) -> String {
        String(decoding: result.standardErrorContent, as: UTF8.self)
    }
}

private enum Name: String, ServiceName { case n }

private protocol Content {}

private final class Label: Content {
    let text: String

    init(_ text: String) { self.text = text }
}

private struct Frame {
    let content: Content
}

private struct Pair {
    let one: Label
    let other: Label

    init(one: Label, other: Label? = nil) {
        self.one = one
        self.other = other ?? one
    }
}
