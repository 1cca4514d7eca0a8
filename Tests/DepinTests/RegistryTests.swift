import Synchronization
import Testing

@testable import Depin

struct `A registry` {
    private final class Thing: Sendable {}

    private static func entry() -> ServiceEntry<Thing> {
        ServiceEntry(
            key: ServiceKey(Thing.self),
            place: CodePlace(file: "", line: 1),
            scope: ObjectScope.container,
            factory: .plain { Thing() },
            sink: Container().core
        )
    }

    /// Keys of every kind, each different from all others.
    private static func keys(_ count: Int) -> [ServiceKey] {
        let tuple = (any Resolver, Int).self
        return (0..<count).map { index in
            switch index % 3 {
            case 0: ServiceKey(types[index / 3 % types.count], name: "\(index)")
            case 1: ServiceKey(Thing.self, tuple: tuple, name: "\(index)")
            default: ServiceKey(Thing.self, option: Number(index))
            }
        } + types.map { ServiceKey($0) } + types.map { ServiceKey($0, tuple: tuple) }
    }

    /// A type, an array of it, an array of that, and so on.
    private static let types: [Any.Type] = {
        func nest<Element>(_ type: Element.Type, _ depth: Int) -> [Any.Type] {
            [type] + (depth == 0 ? [] : nest([Element].self, depth - 1))
        }
        return nest(Thing.self, 40)
    }()

    private struct Number: ServiceKeyOption {
        let number: Int
        var description: String { "\(number)" }

        init(_ number: Int) { self.number = number }

        func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
            (another as? Number)?.number == number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(number % 10) }
    }

    @Test func `finds every key at the same place through every growth`() {
        let registry = Registry()
        var known: [(key: ServiceKey, slot: Registry.SlotPointer)] = []
        for (index, key) in Self.keys(1200).enumerated() {
            #expect(registry.slot(of: key) == nil)
            let (slot, isNew) = registry.slot(adding: key)
            #expect(isNew)
            known.append((key, slot))
            let again = registry.slot(adding: key)
            #expect(again.slot == slot && !again.isNew)
            // Around each power of two lie the ends of slabs and the growths.
            guard index < 70 || (index & (index + 1)) == 0 || index % 200 == 0 else { continue }
            let lost = known.filter { registry.slot(of: $0.key) != $0.slot }
            #expect(lost.isEmpty, "with \(known.count) keys")
            let isWhole = Set(registry.allSlots) == Set(known.map(\.slot))
            #expect(isWhole, "with \(known.count) keys")
            #expect(registry.allSlots.count == known.count)
        }
    }

    @Test func `finds what has no name by its type's address alone`() {
        let registry = Registry()
        for key in Self.keys(300) { _ = registry.slot(adding: key) }
        for type in Self.types {
            let slot = registry.slot(of: ObjectIdentifier(type))
            #expect(slot != nil && slot == registry.slot(of: ServiceKey(type)))
            #expect(slot == registry.slot(of: type, tuple: nil, name: nil))
        }
        #expect(registry.slot(of: ObjectIdentifier(Int.self)) == nil)
    }

    @Test func `has one slot for a key that many threads add at once`() {
        let keys = Self.keys(40)
        for _ in 0..<300 {
            let registry = Registry()
            let slots = onThreads(4) { _ in
                keys.map { UInt(bitPattern: registry.slot(adding: $0).slot) }
            }
            guard Set(slots).count == 1, registry.allSlots.count == keys.count else {
                Issue.record("\(Set(slots).count) answers, \(registry.allSlots.count) slots")
                return
            }
        }
    }

    @Test func `has one slot for a key that was added while it was searched for`() {
        let registry = Registry()
        let additions = Shared<[ServiceKey]>([])
        let intruder = Intruder { [unowned registry] in
            // It grows, so that the search goes on in the smaller array.
            for key in additions.change({ keys in
                defer { keys = [] }
                return keys
            }) { _ = registry.slot(adding: key) }
        }
        _ = registry.slot(adding: ServiceKey(Thing.self, option: intruder))
        let key = ServiceKey(Thing.self, option: Intruder {})
        additions.change { $0 = Self.keys(40) + [key] }
        let found = registry.slot(adding: key)
        #expect(additions.value.isEmpty)
        #expect(!found.isNew)
        #expect(registry.allSlots.filter { $0.pointee.key == key }.count == 1)
    }

    /// An option that is like no other, and does something whenever it is compared.
    private struct Intruder: ServiceKeyOption {
        private final class Identity: Sendable {}

        let description = "intruder"
        private let identity = Identity()
        private let onUse: @Sendable () -> Void

        init(onUse: @escaping @Sendable () -> Void) { self.onUse = onUse }

        func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
            onUse()
            return (another as? Intruder)?.identity === identity
        }

        func hash(into hasher: inout Hasher) {}
    }

    @Test func `loses no key for a look-up on another thread while it grows`() {
        final class Count: Sendable { let value = Atomic<Int>(0) }
        let keys = Self.keys(130)
        for _ in 0..<100 {
            let registry = Registry()
            let added = Count()
            let lost = onThreads(3) { index in
                var lost = 0
                var known = 0
                while known < keys.count {
                    if index == 0 {
                        _ = registry.slot(adding: keys[known])
                        known += 1
                        added.value.store(known, ordering: .releasing)
                    } else {
                        known = added.value.load(ordering: .acquiring)
                        for key in keys[..<known].suffix(8) + keys[..<known].prefix(8)
                        where registry.slot(of: key) == nil { lost += 1 }
                    }
                }
                return lost
            }
            guard lost == [0, 0, 0] else {
                Issue.record("\(lost) keys were not found")
                return
            }
        }
    }

    @Test func `lets go of registrations, instances and what it noted of absent ones`() {
        weak var entry: AnyServiceEntry?
        weak var box: Box<Thing>?
        weak var absence: Registry.Absence?
        do {
            let registry = Registry()
            let made = Self.entry()
            let ready = Box(Thing())
            (entry, box) = (made, ready)
            // Both a slot that is made with them and one that is filled with them.
            registry.register(made, for: ServiceKey(Thing.self), ready: ready)
            _ = registry.slot(adding: ServiceKey(Int.self))
            registry.register(made, for: ServiceKey(Int.self), ready: ready)
            let wrapped = registry.noteAbsence(of: ServiceKey(String.self))
            for _ in 1...2 {
                registry.noteAbsence(of: ServiceKey(String?.self)) {
                    let made = Registry.Absence(
                        none: Box<String?>(nil),
                        wrapped: wrapped.unsafelyUnwrapped
                    )
                    absence = absence ?? made
                    return made
                }
            }
            withExtendedLifetime(registry) {
                #expect(entry != nil && box != nil && absence != nil)
            }
        }
        #expect(entry == nil)
        #expect(box == nil)
        #expect(absence == nil)
    }

    @Test func `lets look-ups find no instance of another generation or registration`() throws {
        func register(in registry: Registry) -> ServiceEntry<Thing> {
            let entry = Self.entry()
            registry.register(entry, for: entry.key)
            return entry
        }
        let (registry, box) = (Registry(), Box(Thing()))
        let entry = register(in: registry)
        let slot = try #require(registry.slot(of: entry.key))
        let old = entry.generation
        _ = entry.reset(ObjectScope.container)
        registry.publish(box, in: slot, of: entry, builtIn: old)
        #expect(registry.ready(in: slot) == nil)
        registry.publish(box, in: slot, of: entry, builtIn: entry.generation)
        #expect(registry.ready(in: slot) === box)
        let next = register(in: registry)
        #expect(registry.ready(in: slot) == nil)
        registry.publish(box, in: slot, of: entry, builtIn: entry.generation)
        #expect(registry.ready(in: slot) == nil)
        withExtendedLifetime(next) {}
    }

    @Test func `notes in a child nothing that would keep look-ups from its parent`() {
        let parent = Container()
        let child = Container(parent: parent)
        #expect(child.resolve(Thing.self) == nil)
        #expect((child ~> Thing?.self) == nil)
        #expect(child.core.registry.allSlots.isEmpty)

        parent.register(Thing.self) { Thing() }.inObjectScope(.container)
        let thing = child ~> Thing.self
        #expect(child.core.readyBox(Thing.self)?.value === thing)
    }
}
