import Synchronization
import Testing

@testable import Depin

struct `A registry` {
    private final class Thing: Sendable {}

    private static func entry(_ key: ServiceKey = ServiceKey(Thing.self)) -> ServiceEntry<Thing> {
        ServiceEntry(
            key: key,
            place: CodePlace(file: "", line: 1),
            scope: ObjectScope.container,
            factory: .plain { Thing() },
            sink: Container().core
        )
    }

    /// Keys of every kind, each different from all others.
    private static func keys(_ count: Int) -> [ServiceKey] {
        let arguments = ArgumentPack<Int>.self
        return (0..<count).map { index in
            index.isMultiple(of: 2)
                ? ServiceKey(types[index / 2 % types.count], name: "\(index)")
                : ServiceKey(Thing.self, arguments: arguments, name: "\(index)")
        } + types.map { ServiceKey($0) } + types.map { ServiceKey($0, arguments: arguments) }
    }

    /// A type, an array of it, an array of that, and so on.
    private static let types: [Any.Type] = {
        func nest<Element>(_ type: Element.Type, _ depth: Int) -> [Any.Type] {
            [type] + (depth == 0 ? [] : nest([Element].self, depth - 1))
        }
        return nest(Thing.self, 40)
    }()

    @Test func `finds every key, and no other, and gives back what it replaces`() {
        let registry = Registry()
        var known: [ServiceKey: AnyServiceEntry] = [:]
        for key in Self.keys(300) {
            #expect(registry.entry(for: key) == nil)
            let (first, second) = (Self.entry(key), Self.entry(key))
            #expect(registry.register(first, for: key) == nil)
            #expect(registry.register(second, for: key) === first)
            known[key] = second
        }
        #expect(known.allSatisfy { registry.entry(for: $0.key) === $0.value })
        #expect(Set(registry.registrations.map(\.key)) == Set(known.keys))
        let named = registry.remove { $0.name != nil }
        #expect(named.count == 300)
        #expect(registry.registrations.allSatisfy { $0.key.name == nil })
    }

    @Test func `tells keys apart that have one hash`() {
        let registry = Registry()
        let names = (0..<2000).map(String.init)
        for name in names { registry.register(Self.entry(), for: ServiceKey(Int.self, name: name)) }
        #expect(registry.registrations.count == names.count)
        #expect(registry.entry(for: ServiceKey(Int.self)) == nil)
        #expect(registry.entry(for: ServiceKey(String.self, name: "1")) == nil)
    }

    @Test func `loses no key for a look-up on another thread while it grows`() {
        let keys = Self.keys(130)
        for _ in 0..<30 {
            let registry = Registry()
            let added = Shared()
            let lost = onThreads(3) { index in
                var lost = 0
                var known = 0
                while known < keys.count {
                    if index == 0 {
                        registry.register(Self.entry(keys[known]), for: keys[known])
                        known = added.count()
                    } else {
                        known = added.value
                        for key in keys[..<known].suffix(8) + keys[..<known].prefix(8)
                        where registry.entry(for: key) == nil { lost += 1 }
                    }
                }
                return lost
            }
            #expect(lost == [0, 0, 0])
        }
    }

    @Test func `releases registrations and instances`() {
        weak var entry: AnyServiceEntry?
        weak var box: Box<Thing>?
        do {
            let registry = Registry()
            let made = Self.entry()
            let ready = Box(Thing())
            (entry, box) = (made, ready)
            registry.register(made, for: ServiceKey(Thing.self), ready: ready)
            registry.register(made, for: ServiceKey(Int.self), ready: ready)
            withExtendedLifetime(registry) { #expect(entry != nil && box != nil) }
        }
        #expect(entry == nil)
        #expect(box == nil)
    }

    @Test func `lets look-ups find no instance of another generation or registration`() {
        let (registry, box, key) = (Registry(), Box(Thing()), ServiceKey(Thing.self))
        let (entry, next) = (Self.entry(), Self.entry())
        registry.register(entry, for: key)
        let old = entry.generation
        _ = entry.reset(ObjectScope.container)
        registry.publish(box, for: key, of: entry, builtIn: old)
        #expect(registry.ready(for: key) == nil)
        registry.publish(box, for: key, of: entry, builtIn: entry.generation)
        #expect(registry.ready(for: key) === box)
        registry.register(next, for: key)
        #expect(registry.ready(for: key) == nil)
        registry.publish(box, for: key, of: entry, builtIn: entry.generation)
        #expect(registry.ready(for: key) == nil)
    }
}
