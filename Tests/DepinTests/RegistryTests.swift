import Testing

@testable import Depin

private func slot(_ key: ServiceKey = ServiceKey(Thing.self), ready: AnyBox? = nil) -> Slot {
    Slot(registration(key), Lock(), ready: ready)
}

private func registration(_ key: ServiceKey) -> Registration {
    ServiceRegistration<Thing>(
        key,
        at: CodePlace(file: "", line: 1),
        Registration.Options(scope: ObjectScope.container),
        .withoutResolver { Thing() }
    )
}

/// A type, an array of it, an array of that, and so on.
private let types: [Any.Type] = {
    func nest<Element>(_ type: Element.Type, _ depth: Int) -> [Any.Type] {
        [type] + (depth == 0 ? [] : nest([Element].self, depth - 1))
    }
    return nest(Thing.self, 40)
}()

/// Keys of every kind, each different from all others.
private func keys(_ count: Int) -> [ServiceKey] {
    let arguments = ArgumentPack<Int>.self
    return (0..<count).map { index in
        index.isMultiple(of: 2)
            ? ServiceKey(types[index / 2 % types.count], name: "\(index)")
            : ServiceKey(Thing.self, arguments: arguments, name: "\(index)")
    } + types.map { ServiceKey($0) } + types.map { ServiceKey($0, arguments: arguments) }
}

/// Keys that differ, and have one word.
private let colliding: [ServiceKey] = {
    let target: UInt = 0x1234_5677
    // The other way round of what mixes the role into the word.
    var inverse: UInt = 1
    let factor = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    for _ in 0..<6 { inverse &*= 2 &- factor &* inverse }
    let product = target ^ target >> UInt(UInt.bitWidth / 2)
    return types.map { type in
        let number = ServiceKey(type).word ^ product &* inverse
        return ServiceKey(type, role: ServiceKey.Role(number: number))
    }
}()

struct `A table of slots` {
    @Test func `tells keys apart that have one word`() {
        #expect(Set(colliding.map(\.word)) == [0x1234_5677])
        var table = SlotTable()
        let slots = colliding.map { slot($0) }
        for (key, slot) in zip(colliding, slots) {
            #expect(table.find(key) == nil)
            #expect(table.put(slot, for: key) == nil)
        }
        for (key, slot) in zip(colliding, slots) {
            let found = table.find(key)?.takeUnretainedValue()
            #expect(found === slot)
        }
        for (index, key) in colliding.enumerated() where index.isMultiple(of: 2) {
            #expect(table.remove(key) === slots[index])
            #expect(table.remove(key) == nil)
        }
        for (index, key) in colliding.enumerated() {
            let found = table.find(key)?.takeUnretainedValue()
            #expect(found === (index.isMultiple(of: 2) ? nil : slots[index]))
        }
        #expect(table.count == colliding.count / 2)
    }

    @Test(arguments: 0..<20) func `has what a dictionary has`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        // Many keys or few, of which many have one word or none.
        let known = keys(seed % 4 * 40) + (seed.isMultiple(of: 2) ? colliding : [])
        var table = SlotTable()
        var reference: [ServiceKey: Slot] = [:]
        var wrong = 0
        func check(_ isRight: Bool) { if !isRight { wrong += 1 } }
        for round in 0..<4000 {
            let key = known[Int.random(in: 0..<known.count, using: &random)]
            // Now it grows, now it shrinks.
            let grows = round / 500 % 2 == 0
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<(grows ? 3 : 1):
                let slot = slot(key)
                let replaced = table.put(slot, for: key)
                check(replaced === reference.updateValue(slot, forKey: key))
            case 1..<4:
                let removed = table.remove(key)
                check(removed === reference.removeValue(forKey: key))
            default:
                let found = table.find(key)?.takeUnretainedValue()
                check(found === reference[key])
            }
            check(table.count == reference.count)
        }
        check(
            Set(table.all.map(ObjectIdentifier.init))
                == Set(reference.values.map(ObjectIdentifier.init))
        )
        #expect(wrong == 0)
    }

    @Test func `counts every change, also before it grew`() {
        var table = SlotTable()
        for number in 1...100 {
            let key = ServiceKey(Thing.self, name: "\(number)")
            _ = table.put(slot(key), for: key)
            table.remove(key)
            _ = table.put(slot(key), for: key)
            #expect(table.changeCount == 3 * number)
        }
    }

    @Test func `does not fill up with what has been removed`() {
        var table = SlotTable()
        for index in 0..<10_000 {
            let key = ServiceKey(Thing.self, name: "\(index)")
            #expect(table.put(slot(key), for: key) == nil)
            #expect(table.remove(key) != nil)
        }
        // One that is not there is found missing, which takes an unused cell.
        #expect(table.find(ServiceKey(Thing.self, name: "none")) == nil)
        #expect(table.count == 0)
        #expect(table.all.isEmpty)
    }

    @Test func `releases what it replaces, removes or has at its end`() {
        weak var first: Slot?
        weak var second: Slot?
        weak var third: Slot?
        let (key, other) = (ServiceKey(Thing.self), ServiceKey(Int.self))
        do {
            var table = SlotTable()
            var slots: [Slot] = [slot(key), slot(key), slot(other)]
            (first, second, third) = (slots[0], slots[1], slots[2])
            #expect(table.put(slots[0], for: key) == nil)
            #expect(table.put(slots[1], for: key) != nil)
            #expect(table.put(slots[2], for: other) == nil)
            slots = []
            #expect(first == nil)
            #expect(second != nil)
            table.remove(key)
            #expect(second == nil)
            #expect(third != nil)
        }
        #expect(third == nil)
    }
}

struct `A registry` {
    private static func put(
        _ key: ServiceKey,
        in registry: borrowing Registry
    ) -> (Slot, replaced: Slot?) {
        let (slot, replaced) = registry.put(for: key) { Slot(registration(key), $0) }
        return (slot, replaced)
    }

    @Test(arguments: [1, 16])
    func `finds every key, and no other, and gives back what it replaces`(_ tableCount: Int) {
        let registry = Registry(tableCount: tableCount)
        var known: [ServiceKey: Slot] = [:]
        for key in keys(300) + colliding {
            #expect(registry.slot(of: key) == nil)
            let (first, none) = Self.put(key, in: registry)
            #expect(none == nil)
            let (second, replaced) = Self.put(key, in: registry)
            #expect(replaced === first)
            known[key] = second
        }
        #expect(known.allSatisfy { registry.slot(of: $0.key) === $0.value })
        #expect(Set(registry.slots.map(\.key)) == Set(known.keys))
        let named = registry.remove { $0.name != nil }
        #expect(named.count == 300)
        #expect(registry.slots.allSatisfy { $0.key.name == nil })
        #expect(registry.slot(of: keys(1)[0]) == nil)
    }

    @Test func `has its slots in the order of registration`() {
        let registry = Registry()
        let added = keys(100).shuffled()
        for key in added { _ = Self.put(key, in: registry) }
        #expect(registry.inOrder().map(\.key) == added)
    }

    @Test func `has the forwards of a registration behind it, by their types`() {
        let container = Container()
        container.register(String.self) { "text" }
            .implements(Float.self, Double.self, Bool.self, Int.self, UInt.self)
        let types = container.engine.registry.inOrder().map { "\($0.key.serviceType)" }
        #expect(types == ["String", "Bool", "Double", "Float", "Int", "UInt"])
    }

    @Test func `has many names of one type`() {
        let registry = Registry()
        let names = (0..<2000).map(String.init)
        for name in names { _ = Self.put(ServiceKey(Int.self, name: name), in: registry) }
        #expect(registry.slots.count == names.count)
        #expect(registry.slot(of: ServiceKey(Int.self)) == nil)
        #expect(registry.slot(of: ServiceKey(String.self, name: "1")) == nil)
    }

    @Test func `loses no key for a look-up on another thread while it grows`() {
        let keys = keys(130)
        for _ in 0..<30 {
            let registry = Registry()
            let added = Shared()
            let lost = onThreads(3) { index in
                var lost = 0
                var known = 0
                while known < keys.count {
                    if index == 0 {
                        _ = Self.put(keys[known], in: registry)
                        known = added.count()
                    } else {
                        known = added.value
                        for key in keys[..<known].suffix(8) + keys[..<known].prefix(8)
                        where registry.slot(of: key) == nil { lost += 1 }
                    }
                }
                return lost
            }
            #expect(lost == [0, 0, 0])
        }
    }

    @Test func `releases slots and instances`() {
        weak var slot: Slot?
        weak var box: AnyBox?
        do {
            let registry = Registry()
            let key = ServiceKey(Thing.self)
            do {
                let ready = Box(Thing())
                box = ready
                slot = registry.put(for: key) { Slot(registration(key), $0, ready: ready) }.slot
            }
            withExtendedLifetime(registry) { #expect(slot != nil && box != nil) }
        }
        #expect(slot == nil)
        #expect(box == nil)
    }

    @Test func `gives what is ready, or else the slot`() throws {
        let registry = Registry()
        let key = ServiceKey(Thing.self)
        func look() -> (ready: AnyBox?, slot: Slot?) {
            var slot: Slot?
            return (try? registry.ready(key, else: &slot) { $0 }, slot)
        }
        #expect(look() == (nil, nil))
        let (slot, _) = Self.put(key, in: registry)
        #expect(look() == (nil, slot))
        let box = Box(Thing())
        build(box, in: slot)
        #expect(look() == (box, nil))
        use(slot.detach())
        #expect(look() == (nil, slot))
        build(box, in: slot)
        let (next, _) = Self.put(key, in: registry)
        #expect(look() == (nil, next))
    }

    @Test func `puts back what was replaced, where nobody came between`() {
        let registry = Registry()
        let key = ServiceKey(Thing.self)
        let (first, _) = Self.put(key, in: registry)
        let (second, _) = Self.put(key, in: registry)
        registry.withdraw(second, for: first)
        #expect(registry.slot(of: key) === first)
        registry.withdraw(second, for: nil)
        #expect(registry.slot(of: key) === first)
        registry.withdraw(first, for: nil)
        #expect(registry.slot(of: key) == nil)
    }
}

private func build(_ box: AnyBox, in slot: Slot) {
    guard case .make(let building) = slot.enter(nil) else {
        preconditionFailure("a slot that is not empty")
    }
    _ = slot.construct(building, box, node: 0)
    #expect(slot.leave(building, as: .permanent) == nil)
}

private func == (
    left: (ready: AnyBox?, slot: Slot?),
    right: (ready: AnyBox?, slot: Slot?)
) -> Bool {
    left.ready === right.ready && left.slot === right.slot
}
