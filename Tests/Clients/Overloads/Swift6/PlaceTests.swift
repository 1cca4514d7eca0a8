import Depin
import Testing

// With `MemberImportVisibility`, DepinOverloads is imported for the file of `Methods.swift` alone. Calls of other
// files keep their place, and pass the scope if they mean the app's own method.

struct `Files that do not import DepinOverloads` {
    private let container = Container()

    @Test func `call the app's own method`() {
        container.register(Engine.self, scope: .container) { _ in Engine() }

        #expect((container ~> Engine.self) === (container ~> Engine.self))
    }

    @Test func `keep the place of a registration`() throws {
        container.register(Garage.self) { r in Garage(engine: try r.require(Engine.self)) }
        let error = try #require(throws: ResolutionError.self) {
            try container.require(Garage.self)
        }

        #expect(error.path.last?.registeredAt.file == #fileID)
    }
}
