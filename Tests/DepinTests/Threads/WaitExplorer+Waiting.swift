@testable import Depin

extension WaitExplorer {
    mutating func beginWait(
        for number: UInt,
        _ frame: Frame,
        _ index: Int,
        _ world: inout World
    ) {
        guard let build = world.builds[number], !build.isOver else {
            seen.insert("over meanwhile")
            world.workers[index].phase = .asking
            return
        }
        world.builds[number]?.hasWaiters = true
        let picture = WaitPicture(
            worker: index,
            needed: number,
            blocked: world.blocked(by: index),
            isFromCallback: world.isInCallback(index),
            yields: frame.purpose == .factory
        )
        let before = world
        let wait = picture.real(in: before)
        let outcome = world.withGraph { graph, _ in graph.begin(wait) }
        judge(outcome, wait, index, before, world)
        if let outcome {
            settle(Ending(outcome), number, frame, index, &world)
        } else {
            world.workers[index].phase = .waiting(number)
        }
    }

    mutating func settle(
        _ outcome: Ending,
        _ number: UInt,
        _ frame: Frame,
        _ index: Int,
        _ world: inout World
    ) {
        switch outcome {
        case .again:
            world.workers[index].phase = .asking
        case .product(let product):
            expect(world.builds[number]?.first == product, "handed \(product) of another build")
            world.workers[index].phase = .over(product)
        case .circular:
            if frame.purpose == .factory {
                world.workers[index].phase = .constructing(0, next: 0)
            } else {
                fail(index, &world)
            }
        }
    }

    // MARK: - Judging

    /// Whether a wait is begun, or refused, for a good reason.
    private mutating func judge(
        _ outcome: Wait.Outcome?,
        _ wait: Wait,
        _ index: Int,
        _ before: World,
        _ world: World
    ) {
        let isCircular = closesCircle(index, needing: wait.needed, in: before)
        let freed = before.waits.filter { wait in
            !world.waits.contains { $0.worker == wait.worker }
        }
        if freed.count > 1 { seen.insert("several circles") }
        expect(isCircular || freed.isEmpty, "a wait that frees \(freed) for nothing")
        for other in freed { judge(other, freedBy: wait, world) }
        switch outcome {
        case .again: expect(false, "what is not over is over")
        case .product(let product):
            expect(isCircular, "an incomplete product without need: \(product)")
            expect(world.builds[wait.needed]?.isComplete == false, "a complete one")
            seen.insert("incomplete taken")
        case nil:
            expect(isCircular != freed.isEmpty, "a wait that frees \(freed) for nothing")
            expect(
                !closesCircle(index, needing: wait.needed, in: world),
                "a wait that closes a circle"
            )
        case .circular(let members):
            let circle = members.compactMap { member in
                before.waits.first { $0.worker == Int(member.number) }
            }
            expect(isCircle(circle, closedBy: wait), "no circle")
            if wait.yields { return }
            expect(!circle.contains(where: \.yields), "an error although a turn yields")
            let needed = [wait.needed] + circle.map(\.needed)
            expect(
                needed.allSatisfy { before.builds[$0]?.product == nil },
                "an error although a member is constructed"
            )
            expect(
                wait.isFromCallback || !circle.contains(where: \.isFromCallback),
                "\(index) failed although a callback could"
            )
            seen.insert(world.workers[index].isTask ? "circular tasks" : "circular threads")
        }
    }

    /// Whether a wait has ended for a good reason that another one has ended by beginning.
    private mutating func judge(
        _ other: WaitPicture,
        freedBy wait: Wait,
        _ world: World
    ) {
        switch world.workers[other.worker].outcome {
        case .product:
            expect(!wait.yields && !other.yields, "an incomplete product although a turn yields")
            expect(world.builds[other.needed]?.isComplete == false, "a complete one")
            seen.insert("incomplete given")
        case .circular where other.yields:
            expect(!wait.yields, "one that waits yields to one that could")
            seen.insert("turn refused")
        case .circular:
            expect(
                other.isFromCallback && !wait.isFromCallback && !wait.yields,
                "\(other) failed for \(wait)"
            )
            seen.insert("callback refused")
        case .again, nil: expect(false, "\(other) has ended without an outcome")
        }
    }

    /// True where a wait would close a circle, found from the workers alone.
    private func closesCircle(_ index: Int, needing number: UInt, in world: World) -> Bool {
        let own = world.blocked(by: index)
        var (ahead, seen) = ([number], Set<UInt>())
        while let number = ahead.popLast() {
            if own.contains(number) { return true }
            guard seen.insert(number).inserted else { continue }
            for worker in world.workers.indices {
                guard case .waiting(let needed) = world.workers[worker].frames.last?.phase,
                    world.workers[worker].outcome == nil,
                    world.blocked(by: worker).contains(number)
                else { continue }
                ahead.append(needed)
            }
        }
        return false
    }

    /// True where each of them waits for the next one, and the last for who closes the circle.
    private func isCircle(_ members: [WaitPicture], closedBy wait: Wait) -> Bool {
        var needed = wait.needed
        for member in members {
            guard member.blocked.contains(needed) else { return false }
            needed = member.needed
        }
        return wait.blocked.contains(needed)
    }
}
