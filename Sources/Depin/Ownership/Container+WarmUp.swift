extension Container {
    /// Makes every service that is marked ``ServiceEntry/eager()``, here and in the parents.
    ///
    /// ```swift
    /// let report = try await container.warmUp(width: 4)
    /// print(report)
    /// ```
    ///
    /// Declared dependencies that are eager, too, are made first. Services that take time begin before
    /// others, and services of the main actor are made there. Each is made once, whatever else requests it
    /// meanwhile. Services that take runtime arguments, or belong to a scope that is not open here, are
    /// left out.
    ///
    /// After a failure nothing more begins. You may call it again: ready services are not made again.
    ///
    /// - Parameter width: How many services to make at a time.
    /// - Returns: The services that were made, and how long each took.
    /// - Throws: The first failure, a ``ResolutionError`` or `CancellationError`, after the builds in
    ///   progress have ended.
    @discardableResult
    public func warmUp(width: Int = 4) async throws -> WarmUpReport {
        precondition(width > 0, "Depin: a width of \(width) would make nothing")
        let core = core.inForce
        var plan = WarmUpPlan(of: core)
        let recorder = WarmUpRecorder(plan.numbers)
        for core in core.chain { core.watch(recorder) }
        defer { for core in core.chain { core.endWatching(recorder) } }
        let failure = await withTaskGroup(
            of: (item: Int, failure: (any Error)?).self
        ) { group in
            var failure: (any Error)?
            var running = 0
            while true {
                while failure == nil, running < width,
                    let (item, request) = plan.next(isIdle: running == 0, for: owner)
                {
                    running += 1
                    group.addTask {
                        do {
                            _ = try await request.asked.answer(request, nil, 0)
                            return (item, nil)
                        } catch {
                            return (item, error)
                        }
                    }
                }
                guard let ended = await group.next() else { return failure }
                running -= 1
                failure = failure ?? ended.failure
                plan.end(ended.item)
            }
        }
        if let failure { throw failure }
        return recorder.report(width: width)
    }
}

/// Which eager services are to be made, and in which order they may be.
private struct WarmUpPlan {
    private struct Item {
        let found: Found
        /// The eager ones that it declares to need, directly or by way of others.
        var needs: Set<Int> = []
        var hasBegun = false
    }

    private let core: Core
    private var items: [Item] = []

    init(of core: Core) {
        self.core = core
        var indices: [UInt: Int] = [:]
        for holder in core.chain {
            for (key, entry) in holder.registry.registrations where key == entry.key {
                guard entry.currentTraits.contains(.isEager), key.arguments == nil,
                    entry.kind != .opened || core.openScope(of: entry) != nil
                else { continue }
                indices[entry.number] = items.count
                items.append(Item(found: Found(entry: entry, holder: holder)))
            }
        }
        // What takes time begins first.
        let order = items.indices.sorted { left, right in
            (isAsync(left) ? 0 : 1, left) < (isAsync(right) ? 0 : 1, right)
        }
        items = order.map { items[$0] }
        indices = [:]
        for (index, item) in items.enumerated() { indices[item.found.entry.number] = index }
        for index in items.indices {
            items[index].needs = needs(of: items[index].found, among: indices).subtracting([index])
        }
    }

    var numbers: Set<UInt> { Set(items.map(\.found.entry.number)) }

    private func isAsync(_ index: Int) -> Bool {
        items[index].found.entry.currentTraits.contains(.isAsync)
    }

    private func needs(of found: Found, among indices: [UInt: Int]) -> Set<Int> {
        var needs: Set<Int> = []
        var seen: Set<UInt> = []
        var rest = [found]
        while let next = rest.popLast() {
            let asked = next.entry.kind.isUnshared ? core : next.holder
            for key in next.entry.declaredNeeds {
                guard let (_, found) = asked.direct(key),
                    seen.insert(found.entry.number).inserted
                else { continue }
                if let index = indices[found.entry.number] {
                    needs.insert(index)
                } else {
                    rest.append(found)
                }
            }
        }
        return needs
    }

    /// The next one whose needs are there; any, where nothing else is under way, for it may be in a circle.
    mutating func next(
        isIdle: Bool,
        for owner: CoreOwner?
    ) -> (item: Int, request: AsyncRequest)? {
        let index =
            items.firstIndex { !$0.hasBegun && $0.needs.isEmpty }
            ?? (isIdle ? items.firstIndex { !$0.hasBegun } : nil)
        guard let index else { return nil }
        items[index].hasBegun = true
        let found = items[index].found
        let key = found.entry.key
        let asked = core.find(key)?.entry === found.entry ? core : found.holder
        return (index, AsyncRequest(key, to: asked, owner?.owner(of: asked)))
    }

    mutating func end(_ item: Int) {
        for index in items.indices { items[index].needs.remove(item) }
    }
}

/// Notes what is made for the eager services, and which needed which.
private final class WarmUpRecorder: Watcher {
    private struct State {
        var spans: [WarmUpReport.Span] = []
        var needs: [UInt: Set<UInt>] = [:]
    }

    private let eager: Set<UInt>
    private let start = ContinuousClock.now
    private let state = Guarded(State())

    init(_ eager: Set<UInt>) {
        self.eager = eager
    }

    var isInherited: Bool { false }

    func requested(_ request: borrowing ServiceRequest, _ found: Found?, _ path: Path) {
        guard let found, let builder = path.builder?.number else { return }
        state.withLock { _ = $0.needs[builder, default: []].insert(found.entry.number) }
    }

    func ended(
        _ request: borrowing ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    ) {
        let outermost = path.steps.first { $0.number != 0 }?.number
        guard case .built = end, let found, eager.contains(outermost ?? found.entry.number) else {
            return
        }
        let span = WarmUpReport.Span(
            number: found.entry.number,
            request: request.forError,
            registeredAt: found.entry.place,
            start: ContinuousClock.now - duration - start,
            duration: duration
        )
        state.withLock { $0.spans.append(span) }
    }

    func report(width: Int) -> WarmUpReport {
        let (spans, needs) = state.withLock { ($0.spans.copied, $0.needs.copied) }
        return WarmUpReport(spans, needs: needs, width: width, took: ContinuousClock.now - start)
    }
}
