import Depin
import Foundation
import Synchronization
import Testing

struct `Space defaults` {
    @Test func `a default is made once, at the first read`() {
        #expect(OnceKey.made.load(ordering: .relaxed) == 0)

        let first = SpaceValues.current.once
        let second = withSpace(\.name, "other") { SpaceValues.current.once }

        #expect(first === second)
        #expect(OnceKey.made.load(ordering: .relaxed) == 1)
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

    @Test func `racing first reads all get the default that was stored first`() {
        let seen = Tokens()

        let done = DispatchGroup()
        for _ in 0..<RacingKey.threads {
            done.enter()
            Thread.detachNewThread {
                seen.append(SpaceValues.current.racing)
                done.leave()
            }
        }
        done.wait()

        let tokens = seen.all
        // The rendezvous in the default lets nobody out before all have begun to make one.
        #expect(RacingKey.made.load(ordering: .relaxed) == RacingKey.threads)
        #expect(tokens.count == RacingKey.threads)
        #expect(tokens.allSatisfy { $0 === tokens.first })
        #expect(SpaceValues.current.racing === tokens.first)
    }

    @Test func `a default is made outside any override`() {
        let inside = withSpace(\.name, "override") { SpaceValues.current.firstReadInside }

        #expect(inside == "hello default")
        #expect(SpaceValues.current.firstReadInside == "hello default")
    }

    @Test func `a default may read other keys and override them for itself`() {
        #expect(SpaceValues.current.nested == "hello default / hello override")
    }

    @Test func `a value set while the default is being made wins over it`() {
        #expect(SpaceValues.current.overtaken == "set")
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

private enum OnceKey: SpaceKey {
    static let made = Atomic(0)
    static var defaultValue: Token {
        made.wrappingAdd(1, ordering: .relaxed)
        return Token()
    }
}

private enum UnreadKey: SpaceKey {
    static let made = Atomic(0)
    static var defaultValue: Token {
        made.wrappingAdd(1, ordering: .relaxed)
        return Token()
    }
}

private enum RacingKey: SpaceKey {
    static let threads = 2
    static let made = Atomic(0)
    static let everyoneIsHere = NSCondition()

    static var defaultValue: Token {
        everyoneIsHere.lock()
        defer { everyoneIsHere.unlock() }
        if made.wrappingAdd(1, ordering: .relaxed).newValue == threads {
            everyoneIsHere.broadcast()
        }
        while made.load(ordering: .relaxed) < threads { everyoneIsHere.wait() }
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
private enum FirstReadInsideKey: SpaceKey {
    static var defaultValue: String { "hello \(SpaceValues.current.name)" }
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
    fileprivate var once: Token { self[OnceKey.self] }
    fileprivate var unread: Token {
        get { self[UnreadKey.self] }
        set { self[UnreadKey.self] = newValue }
    }
    fileprivate var racing: Token { self[RacingKey.self] }
    fileprivate var name: String {
        get { self[NameKey.self] }
        set { self[NameKey.self] = newValue }
    }
    fileprivate var greeting: String { self[GreetingKey.self] }
    fileprivate var firstReadInside: String { self[FirstReadInsideKey.self] }
    fileprivate var nested: String { self[NestedKey.self] }
    fileprivate var overtaken: String {
        get { self[OvertakenKey.self] }
        set { self[OvertakenKey.self] = newValue }
    }
}
