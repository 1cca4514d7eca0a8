import Depin
import Foundation
import Testing

/// Names and arguments that are equal are one, however they are stored.
struct `Strings that are equal` {
    private let container = Container()

    /// Each in two forms that are equal.
    private static let pairs: [(String, String)] = [
        ("caf\u{E9}", "cafe\u{301}"),
        ("\u{212B}", "\u{C5}"),
        ("\u{1100}\u{1161}", "\u{AC00}"),
        ("plain", String(NSString(string: "plain"))),
        (
            String(repeating: "a", count: 100),
            String(NSString(string: String(repeating: "a", count: 100)))
        ),
        ("main", String(decoding: Array("main".utf16), as: UTF16.self)),
        ("a name of many letters", String("a name of many letters, and more".prefix(22))),
    ]

    @Test(arguments: pairs)
    func `are one name`(_ one: String, _ other: String) throws {
        #expect(one == other)
        container.register(Int.self, name: one) { 1 }
        #expect(try container.require(Int.self, name: other) == 1)
        #expect(container.hasAnyRegistration(of: Int.self, name: other))
        container.register(Int.self, name: other) { 2 }
        #expect(try container.require(Int.self, name: one) == 2)
        container.unregister(Int.self, name: one)
        #expect(container.resolve(Int.self, name: other) == nil)
    }

    @Test(arguments: pairs)
    func `are one argument`(_ one: String, _ other: String) throws {
        container.register([String].self) { (_: any Resolver, name: String) in
            [name, UUID().uuidString]
        }
        .inObjectScope(.container.perArguments)
        let first = try container.require([String].self, argument: one)
        #expect(try container.require([String].self, argument: other) == first)
    }
}
