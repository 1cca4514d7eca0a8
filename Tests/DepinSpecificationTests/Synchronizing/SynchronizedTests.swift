import Depin
import Foundation
import Testing

struct `Synchronized resolvers` {
    private let container = Container()

    @Test func `a view resolves what the container has, in every shape`() throws {
        container.register(Animal.self) { _ in Cat("plain") }
        container.register(Animal.self, name: "n") { _, name in Cat(name) }
        let view: Resolver = container.synchronize()

        #expect(view.resolve(Animal.self)?.name == "plain")
        #expect(view.resolve(Animal.self, name: "n", argument: "a")?.name == "a")
        #expect((view ~> Animal.self).name == "plain")
        #expect(try view.require(Animal?.self)?.name == "plain")
        #expect(view.resolve(Int.self) == nil)
    }

    @Test func `a view sees what is registered later`() {
        let view = container.synchronize()
        container.register(Int.self) { _ in 5 }

        #expect(view.resolve(Int.self) == 5)
    }

    @Test func `a view keeps the container alive`() {
        let view = Container { $0.register(Int.self) { _ in 5 } }.synchronize()

        #expect(view.resolve(Int.self) == 5)
    }

    @Test func `the factory of registerSynchronized is handed a view it may keep`() throws {
        container.register(Animal.self) { _ in Cat("Mimi") }
        container.registerSynchronized(Clinic.self) { resolver in Clinic(resolver) }
            .inObjectScope(.container)
        container.registerSynchronized(Clinic.self, name: "n") { resolver in Clinic(resolver) }

        let clinic = try container.require(Clinic.self)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(clinic.resolver.resolve(Animal.self)?.name == "Mimi")
        }
        #expect(try container.require(Clinic.self) === clinic)
        #expect(container.resolve(Clinic.self, name: "n") != nil)
    }

    @Test func `inside a factory the view shares the graph under way`() throws {
        container.register(Cat.self) { _ in Cat("") }
        container.register([Cat].self) { [unowned container] _ in
            let view = container.synchronize()
            return [view ~> Cat.self, view ~> Cat.self]
        }
        container.register(Bool.self) { resolver in
            let cat = resolver ~> Cat.self
            return (resolver ~> [Cat].self).allSatisfy { $0 === cat }
        }
        #expect(try container.require(Bool.self))
    }

    @Test func `circles resolve whole on many threads at once`() {
        let resolver = Container { container in
            container.register(Mother.self) { _ in Mother() }
                .initCompleted { resolver, mother in mother.child = resolver.resolve(Child.self) }
            container.register(Child.self) { _ in Child() }
                .initCompleted { resolver, child in child.mother = resolver.resolve(Mother.self) }
        }
        .synchronize()

        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            let mother = resolver.resolve(Mother.self)!
            #expect(mother.child?.mother === mother)
        }
    }

    @Test(arguments: [ObjectScope.container, .weak])
    func `all threads get the one shared instance`(scope: ObjectScope) throws {
        let builds = CallCount()
        container.register(Cat.self) { _ in
            builds.add()
            // So that other threads come while this one builds.
            Thread.sleep(forTimeInterval: 0.02)
            return Cat("")
        }
        .inObjectScope(scope)
        let cats = EventLog<Cat>()  // It holds what the weak scope does not.
        let view = Container(parent: container).synchronize()

        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            cats.note(view.resolve(Cat.self)!)
        }
        #expect(builds.count == 1)
        #expect(Set(cats.all.map(ObjectIdentifier.init)).count == 1)
    }
}

private protocol Animal {
    var name: String { get }
}

private final class Cat: Animal {
    let name: String

    init(_ name: String) { self.name = name }
}

private final class Clinic: Sendable {
    let resolver: Resolver

    init(_ resolver: Resolver) { self.resolver = resolver }
}

private final class Mother {
    var child: Child?
}

private final class Child {
    weak var mother: Mother?
}
