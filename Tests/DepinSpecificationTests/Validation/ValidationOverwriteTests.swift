import Depin
import DepinInspection
import Testing

struct ValidationOverwriteTests {
    @Test func `a silent overwrite is told with both places`() throws {
        let container = Container()
        let first = #line + 1
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self, name: "other") { Leaf() }
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.silentOverwrite])
        #expect(
            error.description.contains("ValidationOverwriteTests.swift:\(first + 1), in place of")
        )
        #expect(error.description.contains("ValidationOverwriteTests.swift:\(first)\n"))
        try Golden("validation with a silent overwrite").check("\(error)")
    }

    @Test func `an overwrite that says so is none`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [])
        container.register(Leaf.self) { Leaf() }
        #expect(problemKinds(of: container) == [.silentOverwrite])
        container.unregister(Leaf.self)
        container.register(Leaf.self) { Leaf() }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `a forwarded type is overwritten too`() throws {
        let container = Container()
        container.register((any API).self) { LiveAPI() }
        container.register(LiveAPI.self) { LiveAPI() }.implements((any API).self)
        #expect(problemKinds(of: container) == [.silentOverwrite])
        container.register(LiveAPI.self) { LiveAPI() }.implements((any API).self).overriding()
        #expect(
            problemKinds(of: container) == [.silentOverwrite],
            "the first one is as silent as before"
        )
    }

    @Test func `an override that replaces nothing is told`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [.idleOverride])
        try Golden("validation with an idle override").check("\(container.validate())")
        let child = Container(parent: container)
        child.register(Leaf.self) { Leaf() }.overriding()
        #expect(
            problemKinds(of: child) == [.idleOverride],
            "the parent's; the child's overrides that"
        )
    }

    @Test func `an override covers the types that forward to it afterwards`() throws {
        let container = Container()
        container.register((any API).self) { LiveAPI() }
        container.register(LiveAPI.self) { LiveAPI() }.overriding().implements((any API).self)
        #expect(problemKinds(of: container) == [])
    }

    @Test func `an override of a service and of a parent's has another scope on purpose`() throws {
        let parent = Container()
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        child.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: child) == [])
    }

    @Test func `a registration after the first use is told, meant or not`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        use(container ~> Leaf.self)
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [.lateOverwrite])
    }

    @Test func `a late and silent registration is both`() throws {
        let container = Container()
        let first = #line + 1
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        use(container ~> Leaf.self)
        container.register(Leaf.self) { Leaf() }
        let error = try validationError(of: container)
        #expect(error.problems.map(\.kind) == [.lateOverwrite, .silentOverwrite])
        let late = error.problems[0].description
        #expect(late.contains("ValidationOverwriteTests.swift:\(first + 2), in place of"))
        #expect(late.contains("ValidationOverwriteTests.swift:\(first)\n"))
        try Golden("validation with a late overwrite").check("\(error)")
        #expect(
            problemKinds(of: container, ignoring: [.lateOverwrite])
                == [.silentOverwrite]
        )
    }

    @Test func `a registration is late only while its instance is there`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }.inObjectScope(.weak)
        use(container ~> Leaf.self)
        container.register(Leaf.self) { Leaf() }.inObjectScope(.visit).overriding()
        use(container ~> Leaf.self)
        container.resetObjectScope(.visit)
        container.register(Leaf.self, instance: Leaf()).overriding()
        use(container ~> Leaf.self)
        container.register(Leaf.self) { Leaf() }.inObjectScope(.weak).overriding()
        #expect(problemKinds(of: container) == [], "nobody notes who has a ready instance")
        let leaf = container ~> Leaf.self
        container.register(Leaf.self) { Leaf() }.overriding()
        #expect(problemKinds(of: container) == [.lateOverwrite])
        use(leaf)
    }

    @Test func `an override marks nothing but what it has replaced itself`() throws {
        for _ in 0..<20 {
            let container = Container()
            container.register(Leaf.self) { Leaf() }
            container.register(Leaf.self) { Leaf() }
            // What is gone leaves its place in memory to the next one.
            container.register(Leaf.self) { Leaf() }
            container.register(Twig.self) { Twig() }.overriding()
            #expect(
                problemKinds(of: container) == [.silentOverwrite, .silentOverwrite, .idleOverride]
            )
        }
    }

    @Test func `what withSpace overrides is meant`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { $0.register(Leaf.self) { Leaf() } }) {
                #expect(problemKinds(of: SpaceValues.current.dependenciesContainer) == [])
            }
        }
    }

    @Test func `what was meant outside of withSpace is meant in it`() throws {
        let parent = Container()
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        let child = Container(parent: parent)
        child.register(Leaf.self) { Leaf() }.overriding()
        withSpace(\.dependenciesContainer, child) {
            withSpace(overriding: { $0.register(Twig.self, instance: Twig()) }) {
                #expect(problemKinds(of: SpaceValues.current.dependenciesContainer) == [])
            }
        }
    }
}

private final class Leaf: Sendable {}
private final class Twig: Sendable {}

extension ObjectScope {
    fileprivate static let visit = ObjectScope(named: "visit")
}
