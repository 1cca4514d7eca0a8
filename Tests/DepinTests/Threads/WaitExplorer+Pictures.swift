@testable import Depin

extension WaitExplorer {
    /// What stands in a `SlotState`.
    enum SlotPicture: Hashable {
        case empty
        case building(UInt)
        case ready(Product)
        case weak(Product)
    }

    /// A `Building`, and what must be true of it by what has happened.
    struct BuildPicture: Hashable {
        let place: Place
        var depth = 1
        var product: Product?
        var isOver = false
        var hasWaiters = false
        /// Those who have entered it, and have not left.
        var builders: [Int] = []
        /// What was constructed first, and not given up.
        var first: Product?
        var isDetached = false
        var isComplete = false
    }

    /// A wait that has not ended.
    struct WaitPicture: Hashable {
        let worker: Int
        var needed: UInt
        var blocked: [UInt]
        let isFromCallback: Bool
        let yields: Bool
    }
}

extension WaitExplorer.Product {
    var node: UInt { UInt(1 + number + 100 * builder) }
}

extension WaitExplorer.World {
    typealias Product = WaitExplorer.Product

    // MARK: - Slots

    /// Lets a real slot take a step.
    mutating func withSlot<Result>(
        _ place: WaitExplorer.Place,
        _ body: (inout SlotState<Product>, [UInt: Building<Product>]) -> Result
    ) -> Result {
        var state = SlotState<Product>()
        var known: [UInt: Building<Product>] = [:]
        let picture = slots[place] ?? .empty
        switch picture {
        case .empty: break
        case .building(let number):
            known[number] = building(number, in: &state)
        case .ready(let product):
            state = SlotState(ready: product)
            state.node = product.node
        case .weak(let product):
            guard case .make(let building) = state.enter(own: nil, number: 0, living: { $0 }) else {
                preconditionFailure("an empty slot is not for the caller")
            }
            _ = state.construct(building, product, node: product.node)
            _ = state.leave(building) { .weakly($0) }
        }
        for (number, picture) in builds where picture.place == place && known[number] == nil {
            var other = SlotState<Product>()
            known[number] = building(number, in: &other)
        }
        let result = body(&state, known)
        for (number, building) in known { builds[number]?.note(building) }
        if let current = state.current {
            slots[place] = .building(current.number)
            if known[current.number] == nil {
                builds[current.number] = WaitExplorer.BuildPicture(place: place)
            }
        } else if let product = state.ready {
            slots[place] = .ready(product)
        } else if let product = state.kept({ $0 }) {
            slots[place] = .weak(product)
        } else {
            slots[place] = nil
        }
        return result
    }

    /// A real build that is as its picture.
    private func building(
        _ number: UInt,
        in state: inout SlotState<Product>
    ) -> Building<Product> {
        guard let picture = builds[number],
            case .make(let building) = state.enter(own: nil, number: number, living: { $0 })
        else { preconditionFailure("an empty slot is not for the caller") }
        let isLeft = picture.isOver && (picture.product != nil || picture.depth == 0)
        for _ in 1..<(picture.depth + (isLeft ? 1 : 0)) {
            _ = state.enter(own: building, number: 0, living: { $0 })
        }
        if let product = picture.product {
            _ = state.construct(building, product, node: product.node)
        }
        if isLeft {
            _ = state.leave(building) { _ in .notHere }
        } else if picture.isOver {
            state.abandonWholly(building)
        }
        building.hasWaiters = picture.hasWaiters
        var copy = picture
        copy.note(building)
        precondition(copy == picture, "a build is not as its picture")
        return building
    }

    /// A number for a build.
    var nextNumber: UInt { (builds.keys.max() ?? 0) + 1 }

    // MARK: - Waits

    /// Lets the real graph take a step; what has ended is noted for those who wait, who see it later.
    mutating func withGraph<Result>(_ body: (inout WaitGraph, [Wait]) -> Result) -> Result {
        var graph = WaitGraph()
        let before = waits.map { $0.real(in: self) }
        for wait in before {
            let outcome = graph.begin(wait)
            precondition(outcome == nil, "somebody waits in a circle")
        }
        let result = body(&graph, before)
        for wait in graph.takeEnded() {
            workers[Int(wait.number)].outcome = wait.outcome.map(WaitExplorer.Ending.init)
        }
        let after = graph.waiting.all.flatMap { $0.value.cells.map(\.value) }
        waits = waits.filter { known in after.contains { $0.number == UInt(known.worker) } }
        for wait in after where !before.contains(where: { $0 === wait }) {
            waits.append(WaitExplorer.WaitPicture(wait))
        }
        if waits.isEmpty {
            precondition(graph.isEmpty, "something is left of waits that have ended")
        }
        return result
    }

    // MARK: - Numbers

    /// Gives the builds numbers that do not depend on the order of steps, and forgets those that nobody knows.
    mutating func renumber() {
        var numbers: [UInt: UInt] = [0: 0]
        func note(_ number: UInt) {
            if numbers[number] == nil { numbers[number] = UInt(numbers.count) }
        }
        for worker in workers {
            for frame in worker.frames {
                if let number = frame.number { note(number) }
                if case .store(let number) = frame.purpose { note(number) }
            }
        }
        // Whatever else is known is known to a frame.
        for slot in slots.values { if case .building(let number) = slot { note(number) } }
        for wait in waits { note(wait.needed) }
        func new(_ number: UInt) -> UInt { numbers[number] ?? number }
        for worker in workers.indices {
            for frame in workers[worker].frames.indices {
                workers[worker].frames[frame].renumber(new)
            }
        }
        for (place, slot) in slots {
            if case .building(let number) = slot { slots[place] = .building(new(number)) }
        }
        for wait in waits.indices {
            waits[wait].needed = new(waits[wait].needed)
            waits[wait].blocked = waits[wait].blocked.map(new)
        }
        builds = Dictionary(
            uniqueKeysWithValues: builds.compactMap { number, build in
                numbers[number].map { ($0, build) }
            }
        )
    }
}

extension WaitExplorer.BuildPicture {
    fileprivate mutating func note(_ building: Building<WaitExplorer.Product>) {
        (depth, product) = (building.depth, building.product)
        (isOver, hasWaiters) = (building.isOver, building.hasWaiters)
    }
}

extension WaitExplorer.WaitPicture {
    func real(in world: WaitExplorer.World) -> Wait {
        let wait = Wait(for: needed, blocking: blocked, number: UInt(worker))
        (wait.isFromCallback, wait.yields) = (isFromCallback, yields)
        wait.product = { [needed] in world.builds[needed]?.product }
        return wait
    }

    fileprivate init(_ wait: Wait) {
        worker = Int(wait.number)
        (needed, blocked) = (wait.needed, wait.blocked)
        (isFromCallback, yields) = (wait.isFromCallback, wait.yields)
    }
}

extension WaitExplorer.Frame {
    /// The build, or the turn, that its phase names.
    var number: UInt? {
        switch phase {
        case .asking, .looking, .entering, .over: nil
        case .beginning(let number), .waiting(let number), .rechecking(let number): number
        case .constructing(let number, _), .completing(let number, _), .storing(let number): number
        case .leaving(let number), .abandoning(let number, _), .telling(let number, _, _): number
        }
    }

    fileprivate mutating func renumber(_ new: (UInt) -> UInt) {
        if case .store(let number) = purpose { purpose = .store(new(number)) }
        switch phase {
        case .asking, .looking, .entering, .over: break
        case .beginning(let number): phase = .beginning(new(number))
        case .waiting(let number): phase = .waiting(new(number))
        case .rechecking(let number): phase = .rechecking(new(number))
        case .constructing(let number, let next): phase = .constructing(new(number), next: next)
        case .completing(let number, let next): phase = .completing(new(number), next: next)
        case .storing(let number): phase = .storing(new(number))
        case .leaving(let number): phase = .leaving(new(number))
        case .abandoning(let number, let other): phase = .abandoning(new(number), for: other)
        case .telling(let number, let product, let other):
            phase = .telling(new(number), product, then: other)
        }
    }
}
