@testable import Depin

/// Runs a program in every order in which its workers can take their steps, without any thread.
///
/// A worker is a stack of frames, as a thread that resolves is. It takes the steps that the engine and the
/// coordinator take, each under one lock, with any step of the others in between. A task that builds has a further
/// worker for each of its needs, and goes on when they are done.
///
/// A world is a picture of what the slots and the wait-for graph have in them, since a `Building` is an object, and
/// each step is taken by real ones that are made from the picture: see `SlotPicture` and `WaitPicture`.
struct WaitExplorer {
    /// Told apart by what it is, because a picture is put into a slot again and again.
    final class Product: AnyBox, Hashable, CustomStringConvertible, @unchecked Sendable {
        let service: Int
        let builder: Int
        let number: Int

        init(service: Int, builder: Int, number: Int) {
            (self.service, self.builder, self.number) = (service, builder, number)
        }

        static func == (left: Product, right: Product) -> Bool {
            left.service == right.service && left.builder == right.builder
                && left.number == right.number
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(service)
            hasher.combine(builder)
            hasher.combine(number)
        }

        var description: String { "product \(number) of \(service) by \(builder)" }
    }

    /// What a slot's state is for.
    enum Place: Hashable {
        case service(Int)
        /// The storage of a service.
        case storage(Int)
        /// That of the hierarchy.
        case turn
    }

    /// What somebody does who has a turn.
    enum Purpose: Hashable {
        /// Looks into a storage.
        case look
        /// Has a storage keep what a build has constructed.
        case store(UInt)
        /// Empties a storage.
        case empty
        /// Runs a factory.
        case factory
    }

    enum Phase: Hashable {
        case asking
        /// A storage is looked into, before the slot.
        case looking
        case entering
        /// Told to wait, before that begins.
        case beginning(UInt)
        case waiting(UInt)
        /// Told to build; a storage is looked into once more.
        case rechecking(UInt)
        /// The number is 0 for a turn that is done without.
        case constructing(UInt, next: Int)
        case completing(UInt, next: Int)
        case storing(UInt)
        case leaving(UInt)
        /// Gives up a build, for an instance that there is by now, or for an error.
        case abandoning(UInt, for: Product?)
        /// Has left, and is to tell those who wait.
        case telling(UInt, Product?, then: Product?)
        /// Has left.
        case over(Product?)
    }

    struct Frame: Hashable {
        let service: Int
        /// Nil for one that makes an instance of the service.
        var purpose: Purpose?
        var phase = Phase.asking
        /// What has failed in it.
        var hasFailed = false
        /// What a storage gave.
        var found: Product?
    }

    enum Root: Hashable {
        case ask(Int)
        case reset(Int)
    }

    struct Worker: Hashable {
        var roots: ArraySlice<Root>
        var frames: [Frame] = []
        var built = 0
        var isTask = false
        /// The worker that waits for this one, and those that wait for that one.
        var principals: [Int] = []
        var hasFailed = false
        /// True when those that waited for it have gone on.
        var isJoined = false
        /// How its wait has ended, until it has read it.
        var outcome: Ending?
    }

    enum Ending: Hashable {
        case again
        case product(Product)
        case circular

        init(_ outcome: Wait.Outcome) {
            self =
                switch outcome {
                case .again: .again
                case .product(let box): .product(unsafeDowncast(box, to: Product.self))
                case .circular: .circular
                }
        }
    }

    struct World: Hashable {
        var workers: [Worker]
        /// What stands in the slots, and in the storages.
        var slots: [Place: SlotPicture] = [:]
        var stored: [Int: Product] = [:]
        /// The builds, and the turns, that somebody knows.
        var builds: [UInt: BuildPicture] = [:]
        /// The waits, in the order in which they have begun.
        var waits: [WaitPicture] = []
        var cancellations: Int
        /// How often an instance that is held weakly may go.
        var deaths: Int
        /// The services whose instance has gone, though the slot does not know.
        var dead: Set<Int> = []
        /// What must be found in the slots, by what has happened.
        var kept: [Int: Product] = [:]
    }

    let program: BuildProgram
    private(set) var violation: String?
    /// What happened anywhere: so that a test can see that its case did come up.
    var seen: Set<String> = []
    /// The worlds by their numbers, and from which of them each is reached.
    private var numbers: [World: Int] = [:]
    private var origins: [[Int]] = []
    private var endings: [Int] = []

    var states: Int { numbers.count }

    init(_ program: BuildProgram) {
        self.program = program
    }

    mutating func run() {
        var workers = program.workers.enumerated().map { index, services in
            Worker(roots: services.map(Root.ask)[...], isTask: index < program.tasks)
        }
        if program.resets > 0 {
            workers.append(Worker(roots: Array(repeating: .reset(0), count: program.resets)[...]))
        }
        var stack: [(world: World, origin: Int?)] = [
            (
                World(
                    workers: workers,
                    cancellations: program.cancellations,
                    deaths: program.deaths
                ), nil
            )
        ]
        while let (unsettled, origin) = stack.popLast() {
            guard violation == nil else { return }
            var world = unsettled
            takePrivateSteps(in: &world)
            world.renumber()
            if let known = numbers[world] {
                if let origin { origins[known].append(origin) }
                continue
            }
            let number = numbers.count
            numbers[world] = number
            origins.append(origin.map { [$0] } ?? [])
            var next: [World] = []
            for worker in world.workers.indices {
                if let after = step(worker, in: world) { next.append(after) }
            }
            if next.isEmpty {
                finish(world)
                endings.append(number)
            }
            stack += next.map { ($0, number) }
            if world.cancellations > 0 {
                stack += world.workers.indices.compactMap { cancel($0, in: world) }.map {
                    ($0, nil)
                }
            }
            if world.deaths > 0 { stack += deaths(in: world).map { ($0, nil) } }
        }
        findWhatNeverEnds()
    }

    /// From everywhere there is a way to the end, or else some go on forever.
    private mutating func findWhatNeverEnds() {
        var ends = Array(repeating: false, count: origins.count)
        var ahead = endings
        for number in ahead { ends[number] = true }
        while let number = ahead.popLast() {
            for origin in origins[number] where !ends[origin] {
                ends[origin] = true
                ahead.append(origin)
            }
        }
        guard let lost = ends.firstIndex(of: false) else { return }
        let world = numbers.first { $0.value == lost }?.key
        violation = violation ?? "it never ends from \(world.map { "\($0.workers)" } ?? "")"
    }

    /// Takes the steps that no other worker can see or hinder, so in any order the same comes of them.
    private mutating func takePrivateSteps(in world: inout World) {
        // A step may add workers.
        var index = 0
        while index < world.workers.count {
            if isNextStepPrivate(of: index, in: world), let after = step(index, in: world) {
                world = after
            } else {
                index += 1
            }
        }
    }

    /// True where it begins to look for what it, or a factory or a callback, needs next, or goes back.
    private func isNextStepPrivate(of index: Int, in world: World) -> Bool {
        guard let frame = world.workers[index].frames.last else {
            if case .ask = world.workers[index].roots.first { return true }
            return false
        }
        return switch frame.phase {
        case .asking, .over: true
        case .constructing(_, let next): next < program.needs(of: frame).count
        case .completing(_, let next): next < program.services[frame.service].completion.count
        default: false
        }
    }

    private mutating func finish(_ world: World) {
        expect(
            world.workers.allSatisfy(\.isDone),
            "nobody can go on: \(world.workers.map(\.frames))"
        )
        expect(world.waits.isEmpty, "somebody waits at the end")
        for (place, slot) in world.slots {
            if case .building = slot { expect(false, "somebody builds \(place) at the end") }
        }
    }

    mutating func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition, violation == nil { violation = text() }
    }
}

extension BuildProgram {
    /// What a factory asks for, or who has a turn.
    func needs(of frame: WaitExplorer.Frame) -> [Int] {
        let service = services[frame.service]
        return switch frame.purpose {
        // In its turn.
        case nil: service.isSerialized ? [] : service.factory
        case .factory: service.factory
        case .look: service.visits
        case .store, .empty: []
        }
    }
}

extension WaitExplorer.Worker {
    var isDone: Bool { roots.isEmpty && frames.isEmpty }

    /// True where a task makes the request of the innermost frame, so that its wait suspends it.
    var canAwait: Bool { isTask && frames.count == 1 && frames[0].purpose == nil }

    /// True where the callback of something that is built makes the requests.
    var isInCallback: Bool { frames.contains(where: \.isCompleting) }

    var phase: WaitExplorer.Phase {
        get { frames[frames.count - 1].phase }
        set { frames[frames.count - 1].phase = newValue }
    }
}

extension WaitExplorer.Frame {
    /// The build, or the turn, that is on the path.
    var building: UInt? {
        switch phase {
        case .constructing(let number, _), .completing(let number, _), .storing(let number):
            number == 0 ? nil : number
        default: nil
        }
    }

    /// The factory has returned.
    var isCompleting: Bool {
        switch phase {
        case .completing, .storing: true
        default: false
        }
    }

    var place: WaitExplorer.Place {
        switch purpose {
        case nil: .service(service)
        case .factory: .turn
        case .look, .store, .empty: .storage(service)
        }
    }
}

extension WaitExplorer.World {
    /// The frames around one of a worker, and in those that wait for it, the outermost first.
    func path(of worker: Int) -> [WaitExplorer.Frame] {
        workers[worker].principals.reversed().flatMap { workers[$0].frames }
            + workers[worker].frames.dropLast()
    }

    /// The numbers on a path.
    ///
    /// One that looks into the storage once more is a turn, whose build nothing below takes for its own.
    func blocked(by worker: Int) -> [UInt] {
        path(of: worker).reversed().compactMap { frame in
            if case .rechecking(let number) = frame.phase { number } else { frame.building }
        }
    }

    func isInCallback(_ worker: Int) -> Bool {
        ([worker] + workers[worker].principals).contains { workers[$0].isInCallback }
    }
}
