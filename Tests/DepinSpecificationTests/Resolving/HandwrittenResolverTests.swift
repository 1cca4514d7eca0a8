import Depin
import Testing

/// A type that implements one form of `resolve` has all forms of a request.
struct `Resolvers written by hand` {
    private let asked = EventLog<Asked>()
    private var resolver: Echo { Echo(asked: asked) }

    @Test func `resolve, in every shape`() {
        let name: String? = "n"
        _ = resolver.resolve(Label.self)
        _ = resolver.resolve(Label.self, argument: 1)
        _ = resolver.resolve(Label.self, arguments: 1, "a")
        _ = resolver.resolve(Label.self, name: name)
        _ = resolver.resolve(Label.self, name: "n", argument: 1)
        _ = resolver.resolve(Label.self, name: "n", arguments: 1, "a")
        _ = resolver.resolve(Label.self, name: Name.e)
        _ = resolver.resolve(Label.self, name: Name.e, argument: 1)
        _ = resolver.resolve(Label.self, name: Name.e, arguments: 1, "a")

        #expect(asked.all == Echo.everyShape)
        #expect(resolver.resolve(Label.self, name: "n", arguments: 1, "a")?.text == "n 1 a")
        #expect(resolver.resolve(Label.self)?.text == "-")
    }

    @Test func `require, in every shape`() throws {
        _ = try resolver.require(Label.self)
        _ = try resolver.require(Label.self, argument: 1)
        _ = try resolver.require(Label.self, arguments: 1, "a")
        _ = try resolver.require(Label.self, name: "n")
        _ = try resolver.require(Label.self, name: "n", argument: 1)
        _ = try resolver.require(Label.self, name: "n", arguments: 1, "a")
        _ = try resolver.require(Label.self, name: Name.e)
        _ = try resolver.require(Label.self, name: Name.e, argument: 1)
        _ = try resolver.require(Label.self, name: Name.e, arguments: 1, "a")

        #expect(asked.all == Echo.everyShape)
        #expect(try resolver.require(Label.self, name: "n", argument: 1).text == "n 1")
    }

    @Test func `the operators, in every shape`() {
        let labels = [
            resolver ~> Label.self,
            resolver ~> (Label.self, argument: 1),
            resolver ~> (Label.self, arguments: (1, "a")),
            resolver ~> (Label.self, name: "n"),
            resolver ~> (Label.self, name: "n", argument: 1),
            resolver ~> (Label.self, name: "n", arguments: (1, "a")),
            resolver ~> (Label.self, name: Name.e),
        ]
        #expect(labels.map(\.text) == ["-", "- 1", "- 1 a", "n", "n 1", "n 1 a", "e"])
        #expect(asked.all == Array(Echo.everyShape.prefix(7)))
        let label: Label = resolver~>
        #expect(label.text == "-")
    }

    @Test func `the type from the context, and the main actor`() async throws {
        let label: Label = resolver.autoResolve()
        let named: Label = resolver.autoResolve(name: Name.e)
        let main = try await resolver.requireOnMainActor(Label.self, name: "n")

        #expect([label.text, named.text, main.text] == ["-", "e", "n"])
        #expect(asked.all == [Asked(Label.self), Asked(Label.self, "e"), Asked(Label.self, "n")])
    }

    @Test func `as any Resolver, in a function that takes one`() throws {
        func screen(_ resolver: any Resolver) throws -> [String] {
            let again: Label = resolver~>
            return [
                resolver.resolve(Label.self, argument: 1)?.text,
                try resolver.require(Label.self, name: Name.e).text,
                (resolver ~> (Label.self, arguments: (1, "a"))).text,
                again.text,
            ]
            .compactMap { $0 }
        }
        #expect(try screen(resolver) == ["- 1", "e", "- 1 a", "-"])
    }

    @Test func `an argument arrives with its static type`() {
        let existential: any Content = Label("x")
        let optional: Int? = nil
        _ = resolver.resolve(Label.self, argument: existential)
        _ = resolver.resolve(Label.self, arguments: existential, optional)
        #expect((resolver ~> (Label.self, argument: existential)).text.hasPrefix("- "))

        #expect(
            asked.all == [
                Asked(Label.self, nil, (any Content).self),
                Asked(Label.self, nil, (any Content).self, Int?.self),
                Asked(Label.self, nil, (any Content).self),
            ]
        )
    }

    @Test func `what it does not have is nil, and an error that says what was asked`() {
        #expect(resolver.resolve(Int.self) == nil)
        #expect(resolver.resolve(Int.self, name: Name.e, argument: 1) == nil)
        let error = #expect(throws: ResolutionError.self) {
            _ = try resolver.require(Int.self, name: "n", arguments: 1, "a")
        }
        #expect(error?.request.serviceType == Int.self)
        #expect(error?.request.name == "n")
        #expect(error?.request.argumentTypes.map { "\($0)" } == ["Int", "String"])
        #expect(error?.request.requiredAt?.description.contains("HandwrittenResolver") == true)
        #expect(error?.reason == .notRegistered)
    }

    @Test func `what it does not have stops the operators`() async throws {
        let missing = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                print(Echo(asked: EventLog()) ~> (Int.self, name: "n"))
            }
        )
        #expect(text(missing).contains("nothing is registered for Int named \"n\""))
    }

    @Test func `one that asks another has all that the other has`() throws {
        let container = Container { container in
            container.register(Label.self) { _ in Label("live") }
            container.register(Label.self, name: "n") { (_, number: Int) in Label("\(number)") }
            container.register(Content.self) { _ in Label("covered") }
        }
        let resolver = Covering(base: container)

        #expect(resolver.resolve(Label.self)?.text == "live")
        #expect((resolver ~> (Label.self, name: "n", argument: 5)).text == "5")
        #expect((try resolver.require(Content.self) as? Label)?.text == "fake")
        #expect(resolver.resolve(Label?.self) != nil)
        #expect(resolver.resolve(Lazy<Label>.self)?.instance.text == "live")
    }

    private func text(_ result: ExitTest.Result) -> String {
        String(decoding: result.standardErrorContent, as: UTF8.self)
    }
}

/// Makes a label of what was asked, and has nothing else.
private struct Echo: Resolver {
    static let everyShape = [nil, "n", "e"].flatMap { name in
        [
            Asked(Label.self, name),
            Asked(Label.self, name, Int.self),
            Asked(Label.self, name, Int.self, String.self),
        ]
    }

    let asked: EventLog<Asked>

    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        let name = name?.name
        var types: [Any.Type] = []
        var values = [name ?? "-"]
        for type in repeat (each Argument).self { types.append(type) }
        for value in repeat each arguments { values.append("\(value)") }
        asked.note(Asked(serviceType, name, types))
        return Label(values.joined(separator: " ")) as? Service
    }
}

/// A request, by what counts in it.
private struct Asked: Equatable {
    private let serviceType: ObjectIdentifier
    private let name: String?
    private let argumentTypes: [ObjectIdentifier]

    init(_ serviceType: Any.Type, _ name: String?, _ argumentTypes: [Any.Type]) {
        self.serviceType = ObjectIdentifier(serviceType)
        self.name = name
        self.argumentTypes = argumentTypes.map { ObjectIdentifier($0) }
    }

    init(_ serviceType: Any.Type, _ name: String? = nil, _ argumentTypes: Any.Type...) {
        self.init(serviceType, name, argumentTypes)
    }
}

/// Has one service of its own; the rest comes from another resolver.
private struct Covering: Resolver {
    let base: any Resolver

    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        if serviceType == Content.self { return Label("fake") as? Service }
        return base.resolve(serviceType, name: name, arguments: repeat each arguments)
    }
}

private enum Name: String, ServiceName { case e }

private protocol Content {}

private final class Label: Content, Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}
