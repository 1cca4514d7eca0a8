import Depin
import Testing

/// An error tells the same whenever it is read.
struct `A message that is read later` {
    private let container = Container()

    private func failure(_ attempt: () throws -> some Any) throws -> any Error {
        do {
            use(try attempt())
        } catch {
            return error
        }
        throw Skipped()
    }

    @Test func `names what was registered before the container was closed`() async throws {
        container.register((any API).self, name: "live") { LiveAPI() }
        let error = try failure { try container.require((any API).self) }
        try await container.close()
        #expect("\(error)".contains("fix: request API named \"live\""), "\(error)")
    }

    @Test func `names what was registered before everything was removed`() throws {
        container.register((any API).self, name: "live") { LiveAPI() }
        let error = try failure { try container.require((any API).self) }
        container.removeAll()
        container.register((any API).self, name: "later") { LiveAPI() }
        #expect("\(error)".contains("fix: request API named \"live\""), "\(error)")
    }

    @Test func `names what only a scope had that has closed`() async throws {
        container.register(Profile.self) { Profile() }
        let scope = container.openScope(.request) {
            $0.register((any API).self, instance: LiveAPI())
        }
        let error = try failure { try container.require((any API).self) }
        try await scope.close()
        #expect("\(error)".contains("request it from the child container"), "\(error)")
    }

    @Test func `names the container of the space that has left`() async throws {
        let payments = Container()
        payments.register((any API).self) { LiveAPI() }
        let error = try withSpace {
            $0.paymentsAssembler = Assembler(container: payments)
            $0.dependenciesContainer = container
        } operation: {
            try failure { try container.require((any API).self) }
        }
        try await payments.close()
        #expect("\(error)".contains("from the space's PaymentsKey"), "\(error)")
    }

    @Test func `does not name the app's container where another is in its place`() async {
        await #expect(processExitsWith: .success) {
            SpaceValues.current.dependenciesContainer.register((any API).self) { LiveAPI() }
            let other = Container()
            other.register(Profile.self) { Profile() }
            let error = withSpace(\.dependenciesContainer, other) {
                Result { try other.require((any API).self) }
            }
            guard case .failure(let error) = error else { fatalError("nothing is wrong") }
            let text = "\(error)"
            guard !text.contains("dependenciesAssembler") else { fatalError(text) }
        }
    }

    @Test func `says that a registration came after it`() throws {
        let error = try failure { try container.require((any API).self) }
        container.register((any API).self, name: "live") { LiveAPI() }
        #expect("\(error)".contains("nothing at all is registered here"), "\(error)")
        #expect(throws: ResolutionError.self) { try container.require((any API).self) }
    }

    @Test func `keeps neither the container nor its instances`() throws {
        weak var kept: LiveAPI?
        var container: Container? = Container()
        let instance = LiveAPI()
        kept = instance
        container?.register(LiveAPI.self, instance: consume instance)
        let error = try failure { try container?.require(Profile.self) as Any }
        container = nil
        #expect(kept == nil)
        #expect("\(error)".contains("nothing is registered for Profile"))
    }
}
