import Synchronization

// Plain code that does what an operation cannot do without. The ratios are multiples of these.

/// S: reads a `static let` existential.
@inline(never)
func readStatic() -> any Translations { Statics.translations }

final class Empty {}

/// A: allocates an empty final class.
@inline(never)
func allocate() -> Empty { Empty() }

/// A value behind a reference whose type the key vouches for.
final class TypedBox<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// L: the least that a container by type can be, a mutex around a dictionary.
final class MutexTable: Sendable {
    private struct State: @unchecked Sendable {
        var boxes: [ObjectIdentifier: AnyObject] = [:]
    }

    private let state = Mutex(State())

    func insert(_ box: AnyObject, for key: ObjectIdentifier) {
        state.withLock { $0.boxes[key] = box }
    }

    @inline(__always)
    func value<Value>(of type: Value.Type) -> Value? {
        state.withLock { state in
            guard let box = state.boxes[ObjectIdentifier(type)] else { return nil }
            return unsafeDowncast(box, to: TypedBox<Value>.self).value
        }
    }

    /// A table that has the services and a thousand more.
    static func ofThousand(_ sites: [Site]) -> MutexTable {
        let table = MutexTable()
        for site in sites {
            table.insert(TypedBox(site), for: site.key)
        }
        table.insert(TypedBox(Statics.translations), for: ObjectIdentifier((any Translations).self))
        table.insert(TypedBox(Statics.clock), for: ObjectIdentifier((any Clock).self))
        return table
    }
}

/// R: inserts entries into the dictionary of L.
@inline(never)
func insertAll(_ sites: [Site], into table: MutexTable) {
    for site in sites {
        table.insert(TypedBox(site), for: site.key)
    }
}

@inline(never)
func lookUp(_ table: MutexTable) -> (any Translations)? {
    table.value(of: (any Translations).self)
}

@inline(never)
func lookUpOther(_ table: MutexTable) -> (any Clock)? {
    table.value(of: (any Clock).self)
}

/// P: the graph of ten by plain initializers.
@inline(never)
func makeGraph() -> any Root {
    LiveRoot(
        left: LiveLeft(one: LiveLeaf1(), two: LiveLeaf2()),
        middle: LiveMiddle(one: LiveLeaf3(), two: LiveLeaf4()),
        right: LiveRight(one: LiveLeaf5(), two: LiveLeaf6())
    )
}

/// An object that is handed its three services.
final class PlainScreen {
    let translations: any Translations
    let clock: any Clock
    let settings: any Settings

    init(translations: any Translations, clock: any Clock, settings: any Settings) {
        self.translations = translations
        self.clock = clock
        self.settings = settings
    }
}

/// H: that object by its plain initializer.
@inline(never)
func makePlainScreen() -> PlainScreen {
    PlainScreen(
        translations: Statics.translations,
        clock: Statics.clock,
        settings: Statics.settings
    )
}

enum PlainTheme {
    @TaskLocal static var name = "light"
}

/// T: a task-local push and read.
@inline(never)
func pushAndRead(_ name: String) -> String {
    PlainTheme.$name.withValue(name) { PlainTheme.name }
}
