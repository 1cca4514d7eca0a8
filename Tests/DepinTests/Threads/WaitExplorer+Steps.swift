@testable import Depin

extension WaitExplorer {
    /// The world after a worker's next step, or nil when it waits or has done all.
    mutating func step(_ index: Int, in world: World) -> World? {
        var world = world
        guard let frame = world.workers[index].frames.last else {
            guard let root = world.workers[index].roots.popFirst() else { return nil }
            begin(root, index, &world)
            return world
        }
        let service = program.services[frame.service]
        switch frame.phase {
        case .asking:
            let looks = frame.purpose == nil && service.isStored && own(index, world) == nil
            if looks {
                push(.look, .looking, index, &world)
            } else {
                world.workers[index].phase = .entering
            }
        case .looking:
            if let found = frame.found {
                world.workers[index].phase = .over(found)
            } else {
                world.workers[index].phase = .entering
            }
        case .entering: enter(frame, index, &world)
        case .beginning(let number): beginWait(for: number, frame, index, &world)
        case .waiting(let number):
            guard let outcome = world.workers[index].outcome else { return nil }
            world.workers[index].outcome = nil
            settle(outcome, number, frame, index, &world)
        case .rechecking(let number):
            if let found = frame.found {
                seen.insert("stored meanwhile")
                world.workers[index].phase = .abandoning(number, for: found)
            } else {
                world.workers[index].phase = .constructing(number, next: 0)
            }
        case .constructing(let number, let next):
            if service.isAsync, frame.purpose == nil {
                return gather(number, service, next, index, world)
            }
            go(on: number, next, frame, index, &world)
        case .completing(let number, let next):
            if next < service.completion.count {
                world.workers[index].phase = .completing(number, next: next + 1)
                world.workers[index].frames.append(Frame(service: service.completion[next]))
            } else if service.isStored {
                push(.store(number), .storing(number), index, &world)
            } else {
                world.workers[index].phase = .leaving(number)
            }
        case .storing(let number): world.workers[index].phase = .leaving(number)
        case .leaving(let number): leave(number, frame, index, &world)
        case .abandoning(let number, let product): abandon(number, product, index, &world)
        case .telling(let number, let product, let then):
            world.withGraph { graph, _ in graph.end(number, product) }
            world.workers[index].phase = .over(then)
        case .over(let product): goBack(product, index, &world)
        }
        return world
    }

    private func begin(_ root: Root, _ index: Int, _ world: inout World) {
        switch root {
        case .ask(let service):
            world.workers[index].frames = [Frame(service: service)]
        case .reset(let service) where program.services[service].isStored:
            world.workers[index].frames = [Frame(service: service, purpose: .empty)]
        case .reset(let service):
            reset(service, &world)
        }
    }

    private func reset(_ service: Int, _ world: inout World) {
        if case .building(let number) = world.slots[.service(service)] {
            world.builds[number]?.isDetached = true
        }
        world.kept[service] = nil
        _ = world.withSlot(.service(service)) { state, _ in state.detach() }
    }

    /// The world after a task is canceled while it waits, or before its factory returns.
    mutating func cancel(_ index: Int, in world: World) -> World? {
        guard world.workers[index].isTask, let frame = world.workers[index].frames.last else {
            return nil
        }
        var world = world
        world.cancellations -= 1
        switch frame.phase {
        case .waiting where world.workers[index].canAwait && world.workers[index].outcome == nil:
            let isCanceled = world.withGraph { graph, waits in
                waits.contains { $0.number == UInt(index) && graph.cancel($0) }
            }
            expect(isCanceled, "who waits cannot be canceled")
            fail(index, &world)
        case .constructing(let number, let next) where next > 0:
            guard program.services[frame.service].isAsync, isJoined(index, world) else {
                return nil
            }
            join(index, &world)
            world.workers[index].phase = .abandoning(number, for: nil)
        default:
            return nil
        }
        seen.insert("canceled")
        return world
    }

    /// The worlds after an instance has gone that a slot holds weakly.
    mutating func deaths(in world: World) -> [World] {
        world.slots.compactMap { place, slot in
            guard case .weak = slot, case .service(let service) = place else { return nil }
            var world = world
            world.deaths -= 1
            // The slot finds out when it is looked into.
            world.kept[service] = nil
            world.dead.insert(service)
            seen.insert("gone")
            return world
        }
    }

    // MARK: - Slots

    private func own(_ index: Int, _ world: World) -> UInt? {
        guard let frame = world.workers[index].frames.last else { return nil }
        return world.path(of: index).last { $0.place == frame.place && $0.building != nil }?
            .building
    }

    private mutating func enter(_ frame: Frame, _ index: Int, _ world: inout World) {
        let own = own(index, world)
        let (number, isDead) = (world.nextNumber, world.dead.contains(frame.service))
        let before = world.slots[frame.place] ?? .empty
        let kept = world.kept[frame.service]
        let entry = world.withSlot(frame.place) { state, builds in
            state.enter(own: own.flatMap { builds[$0] }, number: number) { isDead ? nil : $0 }
        }
        let isSlot = frame.purpose == nil
        switch entry {
        case .ready(let product, let node):
            expect(node == product.node, "the number of another instance")
            if let own {
                expect(world.builds[own]?.first == product, "not the own instance")
                seen.insert("own product")
            } else {
                expect(
                    product == kept,
                    "\(product) is given where \(String(describing: kept)) is kept"
                )
            }
            world.workers[index].phase = .over(product)
        case .wait(let building):
            expect(own == nil, "somebody waits for itself")
            if isSlot, program.services[frame.service].isAsync, !world.workers[index].canAwait {
                seen.insert("needs await")
                return fail(index, &world)
            }
            world.workers[index].phase = .beginning(building.number)
        case .make(let building):
            let builders = world.builds[building.number]?.builders ?? []
            if own == nil {
                expect(building.number == number && builders.isEmpty, "two build")
                expect(!isSlot || kept == nil, "it is built although there is one")
                if case .weak = before { seen.insert("built for one that has gone") }
                world.dead.remove(frame.service)
            } else {
                let all = [index] + world.workers[index].principals
                expect(!Set(all).isDisjoint(with: builders), "it enters another's build")
                seen.insert(isSlot ? "re-entry" : "turn had again")
            }
            world.builds[building.number]?.builders.append(index)
            let phase = begun(building.number, own, frame, index, world)
            world.workers[index].phase = phase
            if case .rechecking = phase { push(.look, phase, index, &world) }
        }
    }

    private mutating func begun(
        _ number: UInt,
        _ own: UInt?,
        _ frame: Frame,
        _ index: Int,
        _ world: World
    ) -> Phase {
        guard frame.purpose == nil else {
            // A storage that asks for its own instance does so once.
            let isWithin = frame.purpose == .look && own != nil
            return .constructing(number, next: isWithin ? program.needs(of: frame).count : 0)
        }
        let service = program.services[frame.service]
        for step in world.path(of: index).reversed() {
            if step.isCompleting { break }
            if step.purpose == nil, step.service == frame.service {
                seen.insert("circular path")
                return .abandoning(number, for: nil)
            }
        }
        if service.isAsync, !world.workers[index].canAwait {
            seen.insert("needs await")
            return .abandoning(number, for: nil)
        }
        return service.isStored && own == nil ? .rechecking(number) : .constructing(number, next: 0)
    }

    private mutating func leave(
        _ number: UInt,
        _ frame: Frame,
        _ index: Int,
        _ world: inout World
    ) {
        let service = program.services[frame.service]
        let product = world.builds[number]?.product
        let isEnd = world.withSlot(frame.place) { state, builds in
            builds[number].map { building in
                state.leave(building) { product in
                    if frame.purpose != nil || service.isStored { return .notHere }
                    return service.isWeak ? .weakly(product) : .strongly
                }
            }
        }
        if frame.purpose == nil, let build = world.builds[number] {
            expect(build.isComplete == (isEnd == false), "the first that leaves with it is the end")
            expect(product != nil && product == build.first, "not the first product")
            if build.isDetached { seen.insert("not kept") }
            if !build.isDetached, !build.isComplete, !service.isStored {
                world.kept[frame.service] = product
            }
            world.builds[number]?.isComplete = true
        }
        world.stopBuilding(number, index)
        let result = frame.purpose == nil ? product : frame.found
        tell(number, product, isEnd == true, then: result, index, &world)
    }

    private mutating func abandon(
        _ number: UInt,
        _ instead: Product?,
        _ index: Int,
        _ world: inout World
    ) {
        let place = world.workers[index].frames.last?.place ?? .turn
        let (dropped, isEnd) = world.withSlot(place) { state, builds in
            builds[number].map { state.abandon($0) } ?? (nil, false)
        }
        if dropped != nil {
            world.builds[number]?.first = nil
            seen.insert("dropped")
        }
        // Another one at it may have constructed one, which is kept.
        let build = world.builds[number]
        let product = build?.product
        if isEnd, let build, let product {
            expect(build.first == product, "not the first product")
            world.builds[number]?.isComplete = true
        }
        world.stopBuilding(number, index)
        if instead == nil { world.workers[index].frames[lastFrame(index, world)].hasFailed = true }
        tell(number, product, isEnd, then: instead, index, &world)
    }

    private func lastFrame(_ index: Int, _ world: World) -> Int {
        world.workers[index].frames.count - 1
    }

    private mutating func tell(
        _ number: UInt,
        _ product: Product?,
        _ isEnd: Bool,
        then result: Product?,
        _ index: Int,
        _ world: inout World
    ) {
        if isEnd, world.builds[number]?.hasWaiters == true {
            world.workers[index].phase = .telling(number, product, then: result)
        } else {
            world.workers[index].phase = .over(result)
        }
    }

    // MARK: - Factories, and what is done in a turn

    private mutating func go(
        on number: UInt,
        _ next: Int,
        _ frame: Frame,
        _ index: Int,
        _ world: inout World
    ) {
        let service = program.services[frame.service]
        let needs = program.needs(of: frame)
        if next < needs.count {
            world.workers[index].phase = .constructing(number, next: next + 1)
            world.workers[index].frames.append(Frame(service: needs[next]))
            return
        }
        switch frame.purpose {
        case nil:
            if service.isSerialized, next == 0 {
                return push(.factory, .constructing(number, next: 1), index, &world)
            }
            if service.fails {
                world.workers[index].phase = .abandoning(number, for: nil)
            } else {
                construct(number, frame, index, &world)
            }
            return
        case .factory: break
        case .look:
            world.workers[index].frames[lastFrame(index, world)].found = world.stored[frame.service]
        case .store(let build):
            let isCurrent = world.withSlot(.service(frame.service)) { state, builds in
                builds[build].map(state.isCurrent) ?? false
            }
            if isCurrent { world.stored[frame.service] = world.builds[build]?.product }
        case .empty:
            reset(frame.service, &world)
            world.stored[frame.service] = nil
        }
        if number == 0 {
            seen.insert("turn done without")
            world.workers[index].phase = .over(nil)
        } else {
            world.workers[index].phase = .leaving(number)
        }
    }

    private mutating func construct(
        _ number: UInt,
        _ frame: Frame,
        _ index: Int,
        _ world: inout World
    ) {
        world.workers[index].built += 1
        let product = Product(
            service: frame.service,
            builder: index,
            number: world.workers[index].built
        )
        let result = world.withSlot(frame.place) { state, builds in
            builds[number].map { state.construct($0, product, node: product.node) }
        }
        guard let (kept, isFirst) = result else { return }
        expect(isFirst == (world.builds[number]?.first == nil), "a second product")
        if isFirst {
            expect(kept == product, "the first product is not the one that is kept")
            world.builds[number]?.first = product
            world.workers[index].phase = .completing(number, next: 0)
        } else {
            expect(kept == world.builds[number]?.first, "not the first product")
            seen.insert("first wins")
            world.workers[index].phase = .leaving(number)
        }
    }

    /// An asynchronous factory asks for all that it needs at once, and goes on when it has all of it.
    private mutating func gather(
        _ number: UInt,
        _ service: BuildProgram.Service,
        _ next: Int,
        _ index: Int,
        _ world: World
    ) -> World? {
        var world = world
        if next == 0, !service.factory.isEmpty {
            world.workers[index].phase = .constructing(number, next: service.factory.count)
            for need in service.factory {
                world.workers.append(
                    Worker(
                        roots: [.ask(need)],
                        isTask: true,
                        principals: [index] + world.workers[index].principals
                    )
                )
            }
            return world
        }
        guard isJoined(index, world) else { return nil }
        let hasFailed = join(index, &world)
        if hasFailed || service.fails {
            world.workers[index].phase = .abandoning(number, for: nil)
        } else if let frame = world.workers[index].frames.last {
            construct(number, frame, index, &world)
        }
        return world
    }

    private func isJoined(_ index: Int, _ world: World) -> Bool {
        world.workers.allSatisfy { $0.principals.first != index || $0.isDone }
    }

    /// True where one of those has failed for which the factory has waited.
    @discardableResult
    private func join(_ index: Int, _ world: inout World) -> Bool {
        var hasFailed = false
        for child in world.workers.indices
        where world.workers[child].principals.first == index && !world.workers[child].isJoined {
            hasFailed = hasFailed || world.workers[child].hasFailed
            world.workers[child].isJoined = true
        }
        return hasFailed
    }

    // MARK: - Frames

    private func push(
        _ purpose: Purpose,
        _ phase: Phase,
        _ index: Int,
        _ world: inout World
    ) {
        world.workers[index].phase = phase
        guard let service = world.workers[index].frames.last?.service else { return }
        world.workers[index].frames.append(Frame(service: service, purpose: purpose))
    }

    /// The innermost request fails before anything is claimed for it.
    func fail(_ index: Int, _ world: inout World) {
        world.workers[index].frames[lastFrame(index, world)].hasFailed = true
        world.workers[index].phase = .over(nil)
    }

    /// Takes the result, or the error, to the factory or the callback that has asked, or to the root.
    private func goBack(_ product: Product?, _ index: Int, _ world: inout World) {
        let frame = world.workers[index].frames.removeLast()
        guard let last = world.workers[index].frames.indices.last else {
            world.workers[index].hasFailed = world.workers[index].hasFailed || frame.hasFailed
            return
        }
        world.workers[index].frames[last].found = frame.purpose == .look ? product : nil
        guard frame.hasFailed else { return }
        switch world.workers[index].phase {
        case .constructing(let number, _):
            // Who looks into a storage catches what is thrown there.
            if world.workers[index].frames[last].purpose == .look { return }
            if number == 0 { return fail(index, &world) }
            world.workers[index].phase = .abandoning(number, for: nil)
        case .rechecking(let number), .storing(let number):
            world.workers[index].phase = .abandoning(number, for: nil)
        case .looking: fail(index, &world)
        default: break
        }
    }
}

extension WaitExplorer.World {
    fileprivate mutating func stopBuilding(_ number: UInt, _ worker: Int) {
        guard let last = builds[number]?.builders.lastIndex(of: worker) else { return }
        builds[number]?.builders.remove(at: last)
    }
}
