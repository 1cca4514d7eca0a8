@testable import Depin

extension LedgerExplorer {
    /// The world after a worker's next step, or nil when it waits or has done all.
    mutating func step(_ index: Int, in world: World) -> World? {
        var world = world
        guard let frame = world.workers[index].frames.last else {
            guard let root = world.workers[index].roots.popFirst() else { return nil }
            world.workers[index].frames = [Frame(service: root)]
            return world
        }
        switch frame.phase {
        case .looking:
            look(frame, index, &world)
        case .asking(let subject):
            ask(subject, index, &world)
        case .waiting(let subject):
            guard let outcome = world.ledger.outcome(for: index) else { return nil }
            switch outcome {
            case .product(let product): take(product, subject, index, &world)
            case .abandoned: world.workers[index].phase = .asking(subject)
            case .circular: fail(index, &world)
            case .passed: preconditionFailure("a build is no turn")
            }
        case .starting(let subject):
            start(subject, index, &world)
        case .constructing(let subject, let next):
            let service = program.services[frame.service]
            if service.isAsync {
                return gather(subject, service, next, index, world)
            }
            if next < service.factory.count {
                world.workers[index].phase = .constructing(subject, next: next + 1)
                world.workers[index].frames.append(Frame(service: service.factory[next]))
            } else if service.fails {
                world.workers[index].phase = .failing(subject)
            } else {
                construct(subject, index, &world)
            }
        case .completing(let subject, let next):
            let needs = program.services[frame.service].completion
            if next < needs.count {
                world.workers[index].phase = .completing(subject, next: next + 1)
                world.workers[index].frames.append(Frame(service: needs[next]))
            } else {
                complete(subject, index, &world)
            }
        case .failing(let subject):
            world.ledger.abandon(subject)
            stopBuilding(subject, index, &world)
            fail(index, &world)
        }
        return world
    }

    /// The world after a task is cancelled while it waits, or before its factory returns.
    mutating func cancel(_ index: Int, in world: World) -> World? {
        guard world.workers[index].isTask, let frame = world.workers[index].frames.last else {
            return nil
        }
        var world = world
        world.cancellations -= 1
        switch frame.phase {
        case .waiting:
            world.ledger.cancel(index)
            fail(index, &world)
        case .constructing(let subject, let next) where next > 0:
            guard program.services[frame.service].isAsync, isJoined(index, world) else {
                return nil
            }
            world.workers[index].phase = .failing(subject)
        default:
            return nil
        }
        seen.insert("cancelled")
        return world
    }

    /// An asynchronous factory asks for all that it needs at once, and goes on when it has all of it.
    private mutating func gather(
        _ subject: Subject,
        _ service: LedgerProgram.Service,
        _ next: Int,
        _ index: Int,
        _ world: World
    ) -> World? {
        var world = world
        if next == 0, !service.factory.isEmpty {
            world.workers[index].phase = .constructing(subject, next: service.factory.count)
            for need in service.factory {
                world.workers.append(
                    Worker(
                        roots: [need],
                        isTask: true,
                        principals: [index] + world.workers[index].principals
                    )
                )
            }
            return world
        }
        guard isJoined(index, world) else { return nil }
        var hasFailed = service.fails
        for child in world.workers.indices where world.workers[child].principals.first == index {
            hasFailed =
                hasFailed || (world.workers[child].hasFailed && !world.workers[child].isJoined)
            world.workers[child].isJoined = true
        }
        if hasFailed {
            world.workers[index].phase = .failing(subject)
        } else {
            construct(subject, index, &world)
        }
        return world
    }

    private func isJoined(_ index: Int, _ world: World) -> Bool {
        world.workers.allSatisfy { $0.principals.first != index || $0.isDone }
    }

    private mutating func look(_ frame: Frame, _ index: Int, _ world: inout World) {
        let principals = world.workers[index].principals.reversed()
        let outer =
            principals.flatMap { world.workers[$0].frames }
            + world.workers[index].frames.dropLast()
        if outer.contains(where: { $0.service == frame.service && $0.product != nil }) {
            seen.insert("own product")
            return pop(index, &world)
        }
        var hasCompleted = false
        for step in outer.reversed() {
            if case .completing = step.phase { hasCompleted = true }
            if step.service == frame.service, !hasCompleted {
                seen.insert("circular path")
                return fail(index, &world)
            }
        }
        // Who builds it already goes on with the generation that was begun.
        let begun = outer.last { $0.service == frame.service }?.subject
        if begun == nil, world.kept[frame.service] != nil {
            return pop(index, &world)
        }
        if program.services[frame.service].isAsync,
            !world.workers[index].canAwait(in: program)
        {
            seen.insert("needs await")
            return fail(index, &world)
        }
        let current = Subject(
            service: frame.service,
            generation: world.generations[frame.service]
        )
        world.workers[index].phase = .asking(begun ?? current)
    }

    private mutating func ask(_ subject: Subject, _ index: Int, _ world: inout World) {
        let worker = world.workers[index]
        let isCircular = closesCircle(index, needing: subject, in: world)
        let before = world
        let isFromCallback = worker.isInCallback
        let answer = world.ledger.request(
            subject,
            by: index,
            onBehalfOf: worker.principals,
            fromCallback: isFromCallback
        )
        switch answer {
        case .build:
            let builders = world.builders[subject, default: []]
            expect(builders.allSatisfy { $0 == index }, "two build \(subject)")
            if !builders.isEmpty { seen.insert("re-entry") }
            world.builders[subject, default: []].append(index)
            world.workers[index].phase = .starting(subject)
        case .take(let product):
            if !world.completed.contains(subject) {
                expect(isCircular, "an incomplete product without need: \(product)")
                seen.insert("incomplete taken")
            }
            take(product, subject, index, &world)
        case .wait:
            world.workers[index].phase = .waiting(subject)
            let others = world.workers.indices.filter { other in
                before.ledger.isWaiting(other) && !world.ledger.isWaiting(other)
            }
            expect(isCircular != others.isEmpty, "a wait that frees \(others) for nothing")
            expect(
                !closesCircle(index, needing: subject, in: world),
                "a wait that closes a circle"
            )
            if others.count > 1 { seen.insert("several circles") }
            for other in others {
                var ledger = world.ledger
                guard case .circular? = ledger.outcome(for: other) else {
                    seen.insert("incomplete given")
                    continue
                }
                seen.insert("callback refused")
                expect(
                    !isFromCallback && world.workers[other].isInCallback,
                    "\(other), in no callback, failed for \(index)"
                )
            }
        case .circular(let members):
            expect(isCircle(members, closedBy: index, needing: subject, before), "no circle")
            let needed = [subject] + members.compactMap { world.workers[$0].awaited }
            expect(
                needed.allSatisfy { world.constructed[$0] == nil },
                "an error although a member is constructed"
            )
            expect(
                isFromCallback || !members.contains { world.workers[$0].isInCallback },
                "\(index) failed although a callback could"
            )
            seen.insert(worker.isTask ? "circular tasks" : "circular threads")
            fail(index, &world)
        }
    }

    private mutating func start(_ subject: Subject, _ index: Int, _ world: inout World) {
        let isReentry = (world.builders[subject] ?? []).filter { $0 == index }.count > 1
        if isReentry {
            world.workers[index].phase = .constructing(subject, next: 0)
        } else if world.generations[subject.service] != subject.generation
            || world.kept[subject.service] != nil
        {
            // A reset or another's build came between: look again.
            seen.insert(world.kept[subject.service] == nil ? "stale" : "second look")
            world.ledger.abandon(subject)
            stopBuilding(subject, index, &world)
            world.workers[index].phase = .looking
        } else {
            world.workers[index].phase = .constructing(subject, next: 0)
        }
    }

    private mutating func construct(_ subject: Subject, _ index: Int, _ world: inout World) {
        world.workers[index].built += 1
        let product = Product(
            service: subject.service,
            generation: subject.generation,
            builder: index,
            number: world.workers[index].built
        )
        let (kept, isFirst) = world.ledger.construct(subject, product)
        if isFirst {
            expect(kept == product, "the first product is not the one that is kept")
            expect(world.constructed[subject] == nil, "a second product of \(subject)")
            world.constructed[subject] = product
            for frame in world.workers[index].frames.indices
            where world.workers[index].frames[frame].service == subject.service {
                world.workers[index].frames[frame].product = product
            }
            world.workers[index].phase = .completing(subject, next: 0)
        } else {
            expect(kept == world.constructed[subject], "not the first product")
            seen.insert("first wins")
            world.ledger.complete(subject)
            stopBuilding(subject, index, &world)
            pop(index, &world)
        }
    }

    private mutating func complete(_ subject: Subject, _ index: Int, _ world: inout World) {
        if world.generations[subject.service] == subject.generation {
            world.kept[subject.service] = world.constructed[subject]
        } else {
            seen.insert("not kept")
        }
        world.completed.insert(subject)
        world.ledger.complete(subject)
        stopBuilding(subject, index, &world)
        pop(index, &world)
    }

    // MARK: - Helpers

    private mutating func take(
        _ product: Product,
        _ subject: Subject,
        _ index: Int,
        _ world: inout World
    ) {
        expect(world.constructed[subject] == product, "handed \(product) for \(subject)")
        pop(index, &world)
    }

    private func pop(_ index: Int, _ world: inout World) {
        world.workers[index].frames.removeLast()
    }

    /// An error goes up: through each frame that builds, to the root or the callback that asked.
    private mutating func fail(_ index: Int, _ world: inout World) {
        pop(index, &world)
        guard let phase = world.workers[index].frames.last?.phase else {
            world.workers[index].hasFailed = true
            return
        }
        guard case .constructing(let subject, _) = phase else { return }
        world.workers[index].phase = .failing(subject)
    }

    private func stopBuilding(_ subject: Subject, _ index: Int, _ world: inout World) {
        world.builders[subject]?.removeLast()
        if world.builders[subject]?.isEmpty == true { world.builders[subject] = nil }
    }

    /// True where a wait would close a circle, found from the workers alone.
    private func closesCircle(_ index: Int, needing subject: Subject, in world: World) -> Bool {
        let own = [index] + world.workers[index].principals
        var seen: Set<Subject> = []
        var needed = [subject]
        while let subject = needed.popLast() {
            guard let builder = world.builders[subject]?.last, seen.insert(subject).inserted else {
                continue
            }
            if own.contains(builder) { return true }
            needed += waiting(for: builder, in: world).compactMap { world.workers[$0].awaited }
        }
        return false
    }

    /// The workers without which one cannot go on, of those that wait.
    private func waiting(for builder: Int, in world: World) -> [Int] {
        world.workers.indices.filter { index in
            world.ledger.isWaiting(index)
                && (index == builder || world.workers[index].principals.contains(builder))
        }
    }

    /// True where each of the workers waits for the next one, and the last for who closes the circle.
    private func isCircle(
        _ members: [Int],
        closedBy index: Int,
        needing subject: Subject,
        _ world: World
    ) -> Bool {
        var needed: Subject? = subject
        for member in members {
            guard let builder = needed.flatMap({ world.builders[$0]?.last }),
                waiting(for: builder, in: world).contains(member)
            else { return false }
            needed = world.workers[member].awaited
        }
        guard let builder = needed.flatMap({ world.builders[$0]?.last }) else { return false }
        return ([index] + world.workers[index].principals).contains(builder)
    }
}
