import Testing

@testable import Depin

private final class Label: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

private final class Labels: Sendable {
    let all: [Label]

    init(_ all: [Label]) {
        self.all = all
    }
}

struct `Decorated for any name` {
    private let parent = Container()
    private let container: Container

    init() {
        container = Container(parent: parent)
        parent.register(Label.self, anyName: { _, name in Label(name) })
        for container in [parent, container] {
            container.decorate(Label.self) { _, inner in Label("\(inner.text)!") }
        }
        container.decorate(Label.self, name: "b") { _, inner in Label("\(inner.text)?") }
    }

    @Test(arguments: [ObjectScope.transient, .graph])
    func `names leave nothing behind where nobody shares the service`(_ scope: ObjectScope) {
        parent.register(Label.self, anyName: { _, name in Label(name) }).inObjectScope(scope)
        for name in 0..<100 {
            #expect((container ~> (Label.self, name: "\(name)")).text == "\(name)!!")
        }
        #expect(parent.engine.decoratedSlots.count == 2)
    }

    @Test func `a graph has one instance for each name`() {
        container.register(Labels.self) { r in
            Labels(["a", "a", "b", "b"].map { r ~> (Label.self, name: $0) })
        }
        let all = (container ~> Labels.self).all
        #expect(all[0] === all[1] && all[2] === all[3])
        #expect(all.map(\.text) == ["a!!", "a!!", "b!!?", "b!!?"])
    }

    @Test func `a circle is found, and a name within another one is none`() throws {
        parent.register(
            Label.self,
            anyName: { r, name in
                Label(name + (name == "a" ? try r.require(Label.self, name: "b").text : ""))
            }
        )
        #expect(try container.require(Label.self, name: "a").text == "ab!!?!!")
        parent.register(
            Label.self,
            anyName: { r, name in try r.require(Label.self, name: name) }
        )
        let error = #expect(throws: ResolutionError.self) {
            try container.require(Label.self, name: "a")
        }
        #expect("\(try #require(error))".contains("circular dependency"))
    }
}
