import Depin
import NewsServices
import Testing

struct `An app that has moved by half` {
    @Test func `finds in Depin what Factory makes`() throws {
        let resolver = Assembler([FactoryAssembly()]).resolver

        #expect(try resolver.require(API.self) === resolver.require(API.self))
    }
}
