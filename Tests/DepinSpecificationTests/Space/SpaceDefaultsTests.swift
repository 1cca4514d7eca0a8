import Depin
import Foundation
import Synchronization
import Testing

struct `Space defaults` {
    @Test func `a stored default is one instance`() {
        let first = SpaceValues.current.stored
        let second = withSpace(\.name, "other") { SpaceValues.current.stored }

        #expect(first === second)
        #expect(StoredKey.made.load(ordering: .relaxed) == 1)
    }

    @Test func `a computed default is made anew at each access`() {
        #expect(SpaceValues.current.count == 1)
        #expect(SpaceValues.current.count == 2)
        #expect(withSpace(\.name, "other") { SpaceValues.current.count } == 3)
        #expect(Reader().count == 4)
    }

    @Test func `a computed default is not made for a message`() throws {
        let count = SpaceValues.current.messageCount
        let error = #expect(throws: ResolutionError.self) { try Container().require(Token.self) }

        #expect("\(try #require(error))".contains("Token"))
        #expect(SpaceValues.current.messageCount == count + 1)
    }

    @Test func `a default is read for as long as no value is set`() {
        let reader = Reader()
        withSpace(\.second, 60) { #expect(reader.second == 60) }
        #expect(reader.second == 0)

        SpaceValues.updateShared { $0.second = 30 }

        #expect(reader.second == 30)
        withSpace(\.second, 60) { #expect(reader.second == 60) }
        #expect(reader.second == 30)
    }

    @Test func `a computed default is not kept`() {
        weak let token = SpaceValues.current.fresh

        #expect(token == nil)
    }

    @Test func `a default is not made for a key that is overridden`() {
        let mine = Token()

        // Only this form: writing through a key path reads the property first.
        let seen = withSpace {
            $0.unread = mine
        } operation: {
            SpaceValues.current.unread
        }

        #expect(seen === mine)
        #expect(UnreadKey.made.load(ordering: .relaxed) == 0)
    }

    @Test func `racing first reads of a stored default all get the same instance`() {
        let seen = Tokens()

        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            seen.append(SpaceValues.current.raced)
        }

        let tokens = seen.all
        #expect(tokens.count == 8)
        #expect(tokens.allSatisfy { $0 === tokens.first })
    }

    @Test func `a stored default is made outside any override`() {
        let inside = withSpace(\.name, "override") { SpaceValues.current.storedGreeting }

        #expect(inside == "hello default")
        #expect(SpaceValues.current.storedGreeting == "hello default")
    }

    @Test func `a computed default is read outside any override`() {
        let inside = withSpace(\.name, "override") { SpaceValues.current.greeting }

        #expect(inside == "hello default")
    }

    @Test func `a property in a stored default asks the assembler of the process`() {
        SpaceValues.updateShared { space in
            space.dependenciesContainer.register(Tune.self) { Tune(name: "process") }
        }
        let override = Container { $0.register(Tune.self) { Tune(name: "override") } }
        let jukebox = withSpace(\.dependenciesContainer, override) { SpaceValues.current.jukebox }

        #expect(jukebox.tune.name == "process")
    }

    @Test func `a default may read other keys and override them for itself`() {
        #expect(SpaceValues.current.nested == "hello default / hello override")
    }

    @Test func `a value set while the default is being read is there for the next access`() {
        #expect(SpaceValues.current.overtaken == "default")
        #expect(SpaceValues.current.overtaken == "set")
    }

    @Test func `keys with values of one type are kept apart`() {
        withSpace(\.name, "name") {
            #expect(SpaceValues.current.name == "name")
            #expect(SpaceValues.current.greeting == "hello default")
        }
    }
}

private final class Token: Sendable {}

/// What several threads have seen.
private final class Tokens: @unchecked Sendable {
    private let lock = NSLock()
    private var tokens: [Token] = []  // Guarded by `lock`.

    var all: [Token] { lock.withLock { tokens } }

    func append(_ token: Token) {
        lock.withLock { tokens.append(token) }
    }
}

private struct Reader {
    @Space(\.count) var count
    @Space(\.second) var second
}

private struct Tune: Sendable {
    let name: String
}

private final class Jukebox: Sendable {
    private let injected = Injected<Tune>()

    var tune: Tune { injected.wrappedValue }
}

private enum StoredKey: SpaceKey {
    static let made = Atomic(0)
    static let defaultValue: Token = {
        made.wrappingAdd(1, ordering: .relaxed)
        return Token()
    }()
}

/// Read by one test alone, which counts.
private enum CountKey: SpaceKey {
    static let made = Atomic(0)
    static var defaultValue: Int { made.wrappingAdd(1, ordering: .relaxed).newValue }
}

private enum MessageCountKey: SpaceKey {
    static let made = Atomic(0)
    static var defaultValue: Int { made.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Set by one test alone.
private enum SecondKey: SpaceKey {
    static var defaultValue: Int { 0 }
}

private enum FreshKey: SpaceKey {
    static var defaultValue: Token { Token() }
}

private enum RacedKey: SpaceKey {
    static let defaultValue = Token()
}

private enum JukeboxKey: SpaceKey {
    static let defaultValue = Jukebox()
}

private enum UnreadKey: SpaceKey {
    static let made = Atomic(0)
    static var defaultValue: Token {
        made.wrappingAdd(1, ordering: .relaxed)
        return Token()
    }
}

private enum NameKey: SpaceKey {
    static var defaultValue: String { "default" }
}

private enum GreetingKey: SpaceKey {
    static var defaultValue: String { "hello \(SpaceValues.current.name)" }
}

/// Read by one test alone, so that the first read is the one inside its override.
private enum StoredGreetingKey: SpaceKey {
    static let defaultValue = "hello \(SpaceValues.current.name)"
}

private enum NestedKey: SpaceKey {
    static var defaultValue: String {
        let inside = withSpace(\.name, "override") { "hello \(SpaceValues.current.name)" }
        return "\(SpaceValues.current.greeting) / \(inside)"
    }
}

private enum OvertakenKey: SpaceKey {
    static var defaultValue: String {
        SpaceValues.updateShared { $0.overtaken = "set" }
        return "default"
    }
}

extension SpaceValues {
    fileprivate var stored: Token { self[StoredKey.self] }
    fileprivate var count: Int { self[CountKey.self] }
    fileprivate var messageCount: Int { self[MessageCountKey.self] }
    fileprivate var second: Int {
        get { self[SecondKey.self] }
        set { self[SecondKey.self] = newValue }
    }
    fileprivate var fresh: Token { self[FreshKey.self] }
    fileprivate var unread: Token {
        get { self[UnreadKey.self] }
        set { self[UnreadKey.self] = newValue }
    }
    fileprivate var raced: Token { self[RacedKey.self] }
    fileprivate var jukebox: Jukebox { self[JukeboxKey.self] }
    fileprivate var name: String {
        get { self[NameKey.self] }
        set { self[NameKey.self] = newValue }
    }
    fileprivate var greeting: String { self[GreetingKey.self] }
    fileprivate var storedGreeting: String { self[StoredGreetingKey.self] }
    fileprivate var nested: String { self[NestedKey.self] }
    fileprivate var overtaken: String {
        get { self[OvertakenKey.self] }
        set { self[OvertakenKey.self] = newValue }
    }
}
