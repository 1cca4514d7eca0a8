import Depin
import Testing

struct `Container description` {
    private let container = Container()

    @Test func `an empty container`() {
        #expect(container.description == "[\n]")
    }

    @Test func `a registration`() {
        container.register(Animal.self) { _ in Cat() }

        #expect(
            container.description == """
                [
                    { Service: Animal, Factory: Resolver -> Animal, ObjectScope: graph }
                ]
                """
        )
        #expect("\(container)" == container.description)
    }

    @Test func `a name, arguments, a scope and callbacks are shown where there are any`() {
        container.register(Animal.self, name: "mimi") { (_, _: String, _: Bool?) in Cat() }
            .inObjectScope(.container)
            .initCompleted { _, _ in }
            .initCompleted { _, _ in }

        #expect(
            container.description == """
                [
                    { Service: Animal, Name: "mimi", Factory: (Resolver, String, Optional<Bool>) \
                -> Animal, ObjectScope: container, InitCompleted: Specified 2 closures }
                ]
                """
        )
    }

    @Test func `one callback`() {
        container.register(Animal.self) { (_, _: String) in Cat() }
            .initCompleted { _, _ in }

        #expect(
            container.description == """
                [
                    { Service: Animal, Factory: (Resolver, String) -> Animal, ObjectScope: graph, \
                InitCompleted: Specified 1 closures }
                ]
                """
        )
    }

    @Test func `several registrations are sorted and joined by commas`() {
        container.register(Animal.self, name: "2") { _ in Cat() }
        container.register(Animal.self, name: "1") { _ in Cat() }
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)

        #expect(
            container.description == """
                [
                    { Service: Animal, Name: "1", Factory: Resolver -> Animal, ObjectScope: graph },
                    { Service: Animal, Name: "2", Factory: Resolver -> Animal, ObjectScope: graph },
                    { Service: Cat, Factory: Resolver -> Cat, ObjectScope: weak }
                ]
                """
        )
    }

    @Test func `a child describes its own registrations`() {
        container.register(Animal.self) { _ in Cat() }

        #expect(Container(parent: container).description == "[\n]")
    }

    @Test func `scopes have names`() {
        #expect("\(ObjectScope.transient)" == "transient")
        #expect("\(ObjectScope.graph)" == "graph")
        #expect(String(describing: ObjectScope.container) == "container")
        #expect(ObjectScope.weak.description == "weak")
        #expect("\(ObjectScope(named: "session"))" == "session")
        #expect("\(ObjectScope(storageFactory: PermanentStorage.init, description: "x"))" == "x")
        #expect("\(ObjectScope(storageFactory: PermanentStorage.init))" == "")
    }

    @Test func `a custom scope is shown by its description`() {
        let scope = ObjectScope(storageFactory: PermanentStorage.init, description: "session")
        container.register(Animal.self) { _ in Cat() }.inObjectScope(scope)

        #expect(container.description.contains("ObjectScope: session }"))
    }
}

private protocol Animal {}

private final class Cat: Animal {}
