import Testing

@testable import Depin

struct TypeNameTests {
    @Test(
        arguments: [
            (Int.self, "Int"),
            ((any Animal).self, "Animal"),
            ((any Store<Int>).self, "Store<Int>"),
            ((any Map<String, [Int]>).self, "Map<String, [Int]>"),
            ((any Animal & AnyObject).self, "Animal & AnyObject"),
            ((any Animal)?.self, "Animal?"),
            (((any Animal) -> Void)?.self, "((Animal) -> Void)?"),
            ([(any Store<Int?>)?].self, "[Store<Int?>?]"),
            ([String: [any Animal]].self, "[String: [Animal]]"),
            (Emitter<Void>.self, "Emitter<Void>"),
            ((() -> Void).self, "() -> Void"),
            ((@Sendable () async throws -> Int).self, "@Sendable () async throws -> Int"),
            (((Int) throws -> (String) -> Void).self, "(Int) throws -> (String) -> Void"),
            ((any Resolver, Int, String?).self, "(Resolver, Int, String?)"),
            (Emitter<(Int) -> String>?.self, "(Emitter<(Int) -> String>)?"),
            (Zoo.Animal.self, "Animal"),
            ((() throws(Hunger) -> Void).self, "() throws(Hunger) -> Void"),
            ((() async throws(Hunger) -> Int).self, "() async throws(Hunger) -> Int"),
            (Herd<Int, String?>.self, "Herd<Int, String?>"),
            ([Herd<Herd<Int>, Void>].self, "[Herd<Herd<Int>, Void>]"),
            ([Led<Int>].self, "[Led<Int>]"),
            (Led<Int, Void>.self, "Led<Int, Void>"),
            ((any Animal.Type).self, "Animal.Type"),
            ((any Animal & AnyObject)?.self, "(Animal & AnyObject)?"),
            (ByteArray<Int>.self, "ByteArray<Int>"),
            (`2>1`.self, "`2>1`"),
            ([`2>1`]?.self, "[`2>1`]?"),
        ] as [(Any.Type, String)]
    )
    func `a type is named as a person writes it`(type: Any.Type, name: String) {
        #expect(readableName(of: type) == name)
    }

    @Test func `a type of the app's own is not written as the array that it is called`() {
        #expect(qualifiedName(of: Own.Array<Int>.self) == "DepinTests.Own.Array<Int>")
    }

    @Test func `only types that share a name carry where they are from`() {
        let names = TypeNames([(any Animal).self, Zoo.Animal.self, Int.self, Int.self])
        #expect(names((any Animal).self) == "DepinTests.Animal")
        #expect(names(Zoo.Animal.self) == "DepinTests.Zoo.Animal")
        #expect(names(Int.self) == "Int")
        #expect(TypeNames([Zoo.Animal.self])(Zoo.Animal.self) == "Animal")
    }

    @Test func `a private type's name says nothing of addresses`() {
        struct Local {}
        #expect(!qualifiedName(of: Local.self).contains("$"))
        #expect(qualifiedName(of: Local.self) == "DepinTests.TypeNameTests.Local")
    }

    @Test(
        arguments: [
            ("API", "api", true), ("FeedServiceProtocol", "FeedService", true),
            ("LiveAPI", "API", true), ("APIClient", "api", true), ("Profile", "Database", false),
            ("API", "DB", false), ("a", "ab", false), ("Session", "Mission", false),
            ("refesh", "refresh", true), ("FeedServcie", "FeedService", true),
            ("UserService", "OrderService", false), ("Date", "Database", false),
        ] as [(String, String, Bool)]
    )
    func `words are close or not`(one: String, other: String, isClose: Bool) {
        #expect(one.isClose(to: other) == isClose)
        #expect(other.isClose(to: one) == isClose)
    }

    @Test func `the runtime is asked once what it knows of a type`() {
        #expect(TypeFacts.of(Zoo.Animal.self) === TypeFacts.of(Zoo.Animal.self))
    }

    @Test func `a type is known to conform, to inherit, or not`() {
        class Base {}
        final class Sub: Base, Animal {}
        func isKnown(_ type: Any.Type, toBe other: Any.Type) -> Bool {
            TypeFacts.of(type).isKnown(toBe: .of(other))
        }
        #expect(isKnown(Sub.self, toBe: (any Animal).self))
        #expect(isKnown(Sub.self, toBe: Base.self))
        #expect(!isKnown(Base.self, toBe: (any Animal).self))
        #expect(!isKnown((any Animal).self, toBe: Sub.self))
    }

    @Test(
        arguments: [
            (Int?.self, Int?.self, true), (Int?.self, Any.self, true),
            (Int?.self, Int.self, nil), (Int?.self, String.self, false),
            ([Int].self, [String].self, nil), ([Int].self, Int.self, false),
        ] as [(Any.Type, Any.Type, Bool?)]
    )
    func `a type can be cast to another one, or not, or only the value tells`(
        type: Any.Type,
        other: Any.Type,
        fits: Bool?
    ) {
        #expect(ServiceKey(type).fits(ServiceKey(other)) == fits)
    }

    @Test func `a type of another copy of its module is told as such`() {
        let place = CodePlace(file: "App/Main.swift", line: 7)
        let key = ServiceKey(Int.self)
        let candidate = ResolutionError.Registered(key, at: place)
        let error = ResolutionError(
            .notRegistered(ResolutionError.Hints { [.registered(candidate, .linkedTwice)] }),
            ResolutionError.Request(key),
            path: []
        )
        #expect(
            error.description == """
                nothing is registered for Int
                  fix: link its module once: the type of that name registered at \
                App/Main.swift:7 is another copy of this one
                """
        )
        #expect(!TypeFacts.of(Int.self).isLinkedTwice(.of(Int.self)))
        #expect(!TypeFacts.of(Int.self).isLinkedTwice(.of(String.self)))
    }
}

protocol Animal {}
protocol Store<Item> {
    associatedtype Item
}
protocol Map<Key, Value> {
    associatedtype Key
    associatedtype Value
}
struct Emitter<Event> {}
struct Herd<each Member> {}
struct Led<Leader, each Member> {}
struct ByteArray<Element> {}
enum Own {
    struct Array<Element> {}
}
struct Hunger: Error {}
struct `2>1` {}
enum Zoo {
    struct Animal {}
}
