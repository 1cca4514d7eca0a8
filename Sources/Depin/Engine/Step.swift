extension Resolution {
    /// A step of the path: what a thread or a task is making.
    ///
    /// ``Engine/step(for:_:_:)`` makes it of a ``Claim``. The driver (`Engine+OnThread`, `Engine+InTask`) runs the
    /// factory
    /// in it, and hands it to ``Engine/finish(_:_:_:_:)``.
    /// Steps form a list from the innermost to the outermost, on the stack of the resolving thread or in a task's
    /// frames. See ``Resolution/run(_:_:)``.
    ///
    /// PERF: a step borrows what it names, and is never copied: retaining all of that took 700 instructions a step (row
    /// 3, half). The driver or the frame that runs a step holds everything in it.
    package struct Step: ~Copyable {
        /// The slot of the instance; nil for a graph that was entered, or for a turn.
        unowned(unsafe) let slot: Slot?
        /// The engine whose resolver the factory gets.
        unowned(unsafe) let engine: Engine
        /// The engine that holds the registration.
        package unowned(unsafe) let holder: Engine
        package unowned(unsafe) let arguments: Arguments?
        /// Keeps that engine's container open; nil for an instance that a container holds.
        package unowned(unsafe) var owner: Owner?
        /// Tells the service from the others on the path; 0 for none.
        let number: UInt
        let traits: Registration.Traits
        private(set) var injectedAt: CodePlace?
        var destination = Destination.nowhere
        let parent: Path
        /// True if this step, or one around it, makes an instance that a container holds.
        let isForHeld: Bool
        /// The step that began the path's graph; nil for this one.
        private(set) var root: Path = nil
        /// The graph that began here, once it is needed.
        var graph: ObjectGraph?
        /// The innermost instance being made, or asking for more, if needs are noted.
        var dependent: Dependent?
        /// The owner, if nothing else is sure to hold it for as long as the step lasts.
        private var heldOwner: Owner?
        /// The place where the running decorator was added; nil for none.
        var decoratedAt: CodePlace?
        /// True when the factory has returned and callbacks run.
        var isCompleting = false
        /// True if the engine counts the step among its work under way.
        ///
        /// A frame's step stays counted, since other tasks read it.
        var isCounted = false
        /// The task's frame that this step belongs to; a task that a factory left running may outlive it.
        var frame: Unmanaged<TaskFrame>?

        /// True for the step of a task's frame that has ended.
        var isOver: Bool { frame?.takeUnretainedValue().isOver == true }

        /// True if closing the container waits for the step.
        var isUnderWay: Bool { isCounted && !isOver }

        /// How the service under construction is made.
        package var registration: Registration? { slot?.registration }

        /// Sets the owner, and holds it.
        mutating func hold(_ owner: Owner) { (heldOwner, self.owner) = (owner, owner) }

        /// True if the step makes an instance.
        var isMaking: Bool { slot != nil }

        /// Lends the engine whose resolver the factory gets.
        // Without counting a reference to it, for which threads contend (row 3: a twentieth for each).
        @inline(__always)
        func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result {
            try Unmanaged.passUnretained(engine)._withUnsafeGuaranteedRef(body)
        }

        /// Lends the slot in the same way, if there is one.
        @inline(__always)
        func withSlot<Result>(_ body: (Slot) throws -> Result) rethrows -> Result? {
            guard let slot else { return nil }
            return try Unmanaged.passUnretained(slot)._withUnsafeGuaranteedRef(body)
        }

        /// True if the step belongs to an engine.
        func isOf(_ other: Engine) -> Bool { engine === other }

        /// Where the instance goes.
        enum Destination {
            case nowhere
            case graph
            /// Into the slot, through its build; or, for a step that makes nothing, a turn.
            case building(Slot.Building)
        }

        /// The build of a slot, or the turn, that ends with the step.
        var building: Slot.Building? {
            if case .building(let building) = destination { building } else { nil }
        }

        /// True for a step that makes nothing but has waiters: a turn, or running closers.
        var isTurn: Bool { !isMaking && building != nil }

        /// True if the step's dependent is its own instance, not that of a step around it.
        var isDependent: Bool { dependent != nil && dependent !== parent?.pointee.dependent }

        /// The step's own instance in the graph of needs; 0 for none.
        var node: UInt { isDependent ? dependent?.number ?? 0 : 0 }

        /// A step that makes an instance for a request.
        @inline(__always)
        init(
            _ found: borrowing Found,
            _ request: borrowing Engine.Request,
            by engine: Engine,
            after parent: Path
        ) {
            self.init(found, by: engine, request.arguments, after: parent)
            injectedAt = request.injectedAt
            if request.beginsGraph { root = nil }
            owner = engine.handed(request.owner, isHeld: traits.isHeld, parent)
        }

        /// A step that makes an instance of a slot's registration.
        @inline(__always)
        init(
            _ found: borrowing Found,
            by engine: Engine,
            _ arguments: Arguments?,
            after parent: Path
        ) {
            let traits = found.slot.traits
            (slot, holder) = (found.slot, found.holder)
            (self.engine, self.arguments) = (engine, arguments)
            number = found.slot.number
            self.traits = traits
            self.parent = parent
            guard let parent else {
                isForHeld = traits.isHeld
                return
            }
            isForHeld = parent.pointee.isForHeld || traits.isHeld
            root = Path(parent).root
            dependent = parent.pointee.dependent
        }

        /// A step that makes nothing: it enters or begins a graph, or continues an instance that asks for more.
        init(
            in engine: Engine,
            graph: ObjectGraph? = nil,
            dependent: Dependent? = nil,
            after parent: Path
        ) {
            (slot, arguments) = (nil, nil)
            (self.engine, holder) = (engine, engine)
            number = 0
            traits = []
            self.parent = parent
            self.graph = graph
            isForHeld = parent?.pointee.isForHeld ?? false
            self.dependent = dependent ?? parent.dependent
            if dependent != nil, graph == nil { root = parent.root }
        }

        /// A step that has a turn, as a part of its path's graph.
        init(in engine: Engine, turn: Slot.Building, after parent: Path) {
            self.init(in: engine, after: parent)
            destination = .building(turn)
            root = parent.root
        }

        /// A copy to finish on while other tasks read the original, which alone counts the work off and ends the graph.
        init(copying other: borrowing Resolution.Step) {
            slot = other.slot
            engine = other.engine
            holder = other.holder
            arguments = other.arguments
            owner = other.owner
            number = other.number
            traits = other.traits
            injectedAt = other.injectedAt
            destination = other.destination
            parent = other.parent
            isForHeld = other.isForHeld
            root = other.root
            graph = other.graph
            dependent = other.dependent
            (isCounted, frame) = (other.isCounted, other.frame)
        }
    }
}

/// The innermost step under way; nil for none.
package typealias Path = UnsafeMutablePointer<Resolution.Step>?

extension Path {
    /// The steps of a path, the innermost first.
    package var steps: UnfoldSequence<UnsafeMutablePointer<Resolution.Step>, Path> {
        sequence(state: self) { path in
            defer { path = path?.pointee.parent }
            return path
        }
    }

    /// The innermost step that makes something.
    package var builder: UnsafeMutablePointer<Resolution.Step>? {
        steps.first { $0.pointee.isMaking }
    }

    /// How many factories are running.
    package var depth: Int { steps.count { $0.pointee.isMaking } }

    /// The instance that makes the requests, if needs are noted.
    var dependent: Dependent? { self?.pointee.dependent }

    /// True if a callback makes the requests.
    var isInCallback: Bool { steps.contains { $0.pointee.isCompleting } }

    /// The build of a slot that this path has under way.
    @inline(__always)
    func building(of slot: Slot) -> Slot.Building? {
        guard self != nil else { return nil }
        let number = slot.number
        var next = self
        while let step = next {
            if step.pointee.number == number, step.pointee.slot === slot,
                let building = step.pointee.building
            {
                return building
            }
            next = step.pointee.parent
        }
        return nil
    }

    /// The slot for some arguments whose instance this path has under construction.
    func slot(of whole: Slot, for arguments: Arguments, in engine: Engine) -> Slot? {
        let step = steps.first { step in
            step.pointee.number == whole.number && step.pointee.isOf(engine)
                && step.pointee.building != nil
                && Arguments.isEqual(step.pointee.arguments, arguments)
        }
        return step?.pointee.slot
    }

    /// True if the path has a turn or a build under way.
    func holds(_ building: Slot.Building) -> Bool {
        steps.contains { $0.pointee.building === building }
    }

    // MARK: - Graphs

    /// The step that began the graph of a further step; nil where that will begin one, as outside of a resolution.
    var root: Path { self?.pointee.root ?? (self?.pointee.isTurn == true ? nil : self) }

    /// The graph of a further step, if there is one yet.
    var graph: ObjectGraph? { root?.pointee.graph }

    /// The graph of a further step, made when first needed.
    var madeGraph: ObjectGraph? {
        guard let root else { return nil }
        if let graph = root.pointee.graph { return graph }
        let graph = ObjectGraph()
        root.pointee.graph = graph
        return graph
    }
}
