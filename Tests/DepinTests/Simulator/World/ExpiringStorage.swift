import Depin

/// As in the article on custom scopes, with operations for time.
final class ExpiringStorage: InstanceStorage {
    private let time: Cell<Int>
    private var kept: (instance: Any, since: Int)?

    init(_ time: Cell<Int>) { self.time = time }

    var instance: Any? {
        get { kept.flatMap { $0.since == time.value ? $0.instance : nil } }
        set { kept = newValue.map { ($0, time.value) } }
    }
}
