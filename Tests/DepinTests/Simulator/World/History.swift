import Depin

/// What has happened, in one order, and what was wrong with it.
final class History: Sendable {
    /// All that is known of one instance.
    struct Life: Sendable {
        let origin: Item.Origin
        /// The container that built it, and the argument, where each has instances of its own.
        let place: String
        let argument: Int?
        var began: Int
        /// When its factory returned; nil where that failed or goes on.
        var ended: Int?
        var hasFailed = false
        /// A decorator around it has failed, so that nobody has it.
        var isDiscarded = false
        /// Its task may have been canceled, so that nobody has it.
        var isCanceled = false
        var needs: Set<Int> = []
        /// What its callbacks have got, and the tasks that its factory has left running.
        var otherNeeds: Set<Int> = []
        var completions = 0
        var closings: [Int] = []
        /// What it wraps.
        var inner: Int?
    }

    private struct State {
        var clock = 0
        var events: [String] = []
        var violations: [String] = []
        var lives: [Int: Life] = [:]
        var instanceCount = 0
        var registrationCount = 0
        var failures: [Int: Int] = [:]
        var living: [ObjectIdentifier: WeakItem] = [:]
        /// True while a validation runs factories, of which nothing is noted.
        var isMuted = false
    }

    private struct WeakItem: @unchecked Sendable {  // The runtime guards weak references.
        weak var item: Item?
    }

    private let state = Cell(State())

    var events: [String] { state.change(\.events) }
    var violations: [String] { state.change(\.violations) }
    var lives: [Int: Life] { state.change(\.lives) }
    var livingCount: Int { state.change { $0.living.count } }
    var registrationCount: Int { state.change { $0.registrationCount } }
    var isMuted: Bool { state.change { $0.isMuted } }

    func note(_ event: String) {
        state.change { if !$0.isMuted { $0.events.append(event) } }
    }

    func fail(_ violation: String) {
        state.change { $0.violations.append(violation) }
    }

    func mute(_ isMuted: Bool) { state.change { $0.isMuted = isMuted } }

    // MARK: - Registrations

    func makeRegistration() -> Int {
        state.change { state in
            state.registrationCount += 1
            return state.registrationCount
        }
    }

    /// Whether the factory fails this time.
    func fails(_ registration: Int, atMost count: Int) -> Bool {
        state.change { state in
            if state.isMuted { return false }
            state.failures[registration, default: 0] += 1
            return state.failures[registration, default: 0] <= count
        }
    }

    // MARK: - Instances

    /// A factory or a decorator begins; the number of its instance.
    func begin(
        _ origin: Item.Origin,
        in place: String,
        argument: Int? = nil,
        inner: Int? = nil
    ) -> Int {
        state.change { state in
            if state.isMuted { return 0 }
            state.clock += 1
            state.instanceCount += 1
            let life = Life(
                origin: origin,
                place: place,
                argument: argument,
                began: state.clock,
                inner: inner
            )
            state.lives[state.instanceCount] = life
            return state.instanceCount
        }
    }

    private func change(_ number: Int, _ body: (inout Life, _ time: Int) -> Void) {
        state.change { state in
            state.clock += 1
            guard var life = state.lives[number] else { return }
            body(&life, state.clock)
            state.lives[number] = life
        }
    }

    func end(_ number: Int, failed: Bool) {
        change(number) { ($0.ended, $0.hasFailed) = ($1, failed) }
    }

    func discard(_ item: Item) {
        change(item.innermost.number) { life, _ in life.isDiscarded = true }
    }

    func cancel(_ item: Item) {
        change(item.number) { life, _ in life.isCanceled = true }
    }

    func noteNeed(of number: Int, _ needed: Int) {
        change(number) { life, _ in life.needs.insert(needed) }
    }

    func noteOtherNeed(of number: Int, _ needed: Int) {
        change(number) { life, _ in life.otherNeeds.insert(needed) }
    }

    func noteCompletion(of number: Int) {
        change(number) { life, _ in life.completions += 1 }
    }

    func noteClosing(of number: Int) {
        change(number) { $0.closings.append($1) }
    }

    func life(of number: Int) -> Life? { state.change { $0.lives[number] } }

    // MARK: - What lives

    func noteLife(of item: Item) {
        state.change { $0.living[ObjectIdentifier(item)] = WeakItem(item: item) }
    }

    func noteEnd(of item: ObjectIdentifier) {
        state.change { $0.living[item] = nil }
    }

    /// Cuts what callbacks have tied.
    func cutCircles(onlyUnnumbered: Bool = false) {
        let items = state.change { $0.living.values.compactMap(\.item) }
        for item in items where !onlyUnnumbered || item.number == 0 { item.dissolve() }
    }
}
