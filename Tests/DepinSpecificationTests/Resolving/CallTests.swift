import Depin
import Testing

struct `A resolver that is called` {
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

    @Test func `gives the service, in every shape of a request`() {
        let r = container
        let name: String? = "n"
        #expect(r(Label.self).text == "plain")
        #expect(r(Label.self, name: "n").text == "named")
        #expect(r(Label.self, name: name).text == "named")
        #expect(r(Label.self, name: Name.n).text == "named")
        #expect(r(Label.self, name: nil).text == "plain")
        #expect(r(Label.self, argument: "a").text == "a")
        #expect(r(Label.self, name: "n", argument: "a").text == "named a")
        #expect(r(Label.self, arguments: "a", 1).text == "a 1")
        #expect(r(Label.self, name: "n", arguments: "a", 1).text == "named a 1")
    }

    @Test func `takes the type from the context`() {
        let plain: Label = container()
        let named: Label = container(name: "n")
        func text(of label: Label) -> String { label.text }
        #expect(plain.text == "plain")
        #expect(named.text == "named")
        #expect(text(of: container()) == "plain")
        #expect((container() as Label).text == "plain")
        let missing: Int? = container()
        #expect(missing == nil)
    }

    @Test func `may be any resolver`() {
        let resolver: any Resolver = container
        let view = container.synchronize()
        let child = Container(parent: container)
        let assembler = Assembler(container: container)
        #expect(resolver(Label.self).text == "plain")
        #expect(view(Label.self, argument: "a").text == "a")
        #expect(child(Label.self, name: "n").text == "named")
        #expect(assembler.resolver(Label.self, arguments: "a", 1).text == "a 1")
        #expect(Fixed()(String.self) == "fixed")
        #expect(Fixed()() as String == "fixed")
    }

    @Test func `stands in factories of every shape`() {
        container.register(Pair.self) { r in Pair(one: r(Label.self), other: r(name: "n")) }
        #expect(container(Pair.self).other.text == "named")
        container.register(Pair.self) { Pair(one: $0(), other: $0()) }
        #expect(container(Pair.self).other.text == "plain")
        container.register(Pair.self) { r, text, number in
            Pair(one: r(Label.self, arguments: text as String, number as Int), other: r())
        }
        #expect(container(Pair.self, arguments: "a", 1).one.text == "a 1")
    }

    @Test func `keeps the static type of an existential argument`() {
        container.register(String.self) { (_, content: any Content) in content.text }
        let content: any Content = Label("existential")
        #expect(container(String.self, argument: content) == "existential")
        #expect(container(String.self, arguments: content) == "existential")
    }

    @Test func `joins the graph, as the operator does`() {
        container.register(Pair.self) { r in Pair(one: r(Label.self), other: r ~> Label.self) }
        let pair = container(Pair.self)
        #expect(pair.one === pair.other)
    }
}

private enum Name: String, ServiceName { case n }

private protocol Content { var text: String { get } }

private final class Label: Content {
    let text: String

    init(_ text: String) { self.text = text }
}

private struct Pair {
    let one: Label
    let other: Label
}

/// A resolver of the user's own.
private struct Fixed: Resolver {
    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        "fixed" as? Service
    }
}
