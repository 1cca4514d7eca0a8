extension Resolution {
    /// What is being made by a thread or a task: a step of the path.
    ///
    /// ``Engine/step(for:_:_:)`` makes it of a ``Claim``. The driver (`Engine+OnThread`, `Engine+InTask`) runs the factory
    /// in it, and hands it to ``Engine/finish(_:_:_:_:)``.
    /// Steps are a list, from the innermost to the outermost: on the stack of the thread that resolves, or in the frame
    /// of a task. See ``Resolution/run(_:_:)``.
    ///
    /// PERF: what a step names is borrowed, not held, and it is never copied: retaining all that took 700 instructions
    /// a step (row 3, half). Whoever runs a step holds all of it: the driver that made it, or the frame.
    package struct Step: ~Copyable {
        /// The slot of the instance, or of the registration that is used; nil where a graph was entered, or a turn is
        /// had.
        unowned(unsafe) let slot: Slot?
        /// The container whose resolver the factory has.
        unowned(unsafe) let engine: Engine
        /// The container that holds the registration.
        package unowned(unsafe) let holder: Engine
        package unowned(unsafe) let arguments: Arguments?
        /// Keeps the container open whose resolver the factory has; nil in what a container holds.
        package unowned(unsafe) var owner: Owner?
        /// What tells the service from others on the path, 0 for none.
        let number: UInt
        let traits: Registration.Traits
        private(set) var injectedAt: CodePlace?
        var destination = Destination.nowhere
        let parent: Path
        /// True where this step, or one around it, makes what a container holds.
        let isForHeld: Bool
        /// The step in which the graph of the path began; nil for this one.
        private(set) var root: Path = nil
        /// The graph that began here, once it has been made.
        var graph: ObjectGraph?
        /// The innermost instance that is being made, or asks for more, where needs are noted.
        var dependent: Dependent?
        /// The owner, where nobody else is sure to hold it for as long as the step goes on.
        private var heldOwner: Owner?
        /// Where the decorator was added that is running; nil for none.
        var decoratedAt: CodePlace?
        /// The factory has returned; callbacks are running.
        var isCompleting = false
        /// True where the container counts it among the work under way; what a frame's step says lasts, since others
        /// read it.
        var isCounted = false
        /// The task's frame whose step this is: what a task has left running may outlive it.
        var frame: Unmanaged<TaskFrame>?

        /// True where the container still waits for it.
        var isUnderWay: Bool { isCounted && frame?.takeUnretainedValue().isOver != true }

        /// How the service is made that is being built.
        package var registration: Registration? { slot?.registration }

        /// Names the owner, and holds it.
        mutating func hold(_ owner: Owner) { (heldOwner, self.owner) = (owner, owner) }

        /// True where an instance is being made.
        @inline(__always)
        var isMaking: Bool { slot != nil }

        /// Lends the container whose resolver the factory has.
        // Without counting a reference to it, which contends (row 3: a twentieth for each).
        @inline(__always)
        func withEngine<Result>(_ body: (Engine) throws -> Result) rethrows -> Result {
            try Unmanaged.passUnretained(engine)._withUnsafeGuaranteedRef(body)
        }

        /// True where the step is one of a container.
        @inline(__always)
        func isOf(_ other: Engine) -> Bool { engine === other }

        /// Where the instance goes that is being made.
        enum Destination {
            case nowhere
            case graph
            /// Into the slot, by way of its build; or, where nothing is made, a turn that is had.
            case building(Slot.Building)
        }

        /// The build of a slot, or the turn, that ends with the step.
        var building: Slot.Building? {
            if case .building(let building) = destination { building } else { nil }
        }

        /// True where nothing is made, but others wait for its end: a turn is had, or closers run.
        var isTurn: Bool { !isMaking && building != nil }

        /// True where the needs that are noted in the step are those of its own instance, not of one around it.
        var isDependent: Bool { dependent != nil && dependent !== parent?.pointee.dependent }

        /// Its own instance in the graph of needs, 0 for none.
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
            root = parent.pointee.root ?? parent
            dependent = parent.pointee.dependent
        }

        /// A graph that is entered, or an instance that asks for more.
        package init(
            in engine: Engine,
            graph: ObjectGraph? = nil,
            dependent: Dependent? = nil,
            after parent: Path
        ) {
            self.init(in: engine, isPart: dependent != nil && graph == nil, after: parent)
            self.graph = graph
            if let dependent { self.dependent = dependent }
        }

        /// A turn that is had.
        init(in engine: Engine, turn: Slot.Building, after parent: Path) {
            self.init(in: engine, isPart: true, after: parent)
            destination = .building(turn)
        }

        /// A step that makes nothing; a part belongs to the graph of its path, and others begin one.
        private init(in engine: Engine, isPart: Bool, after parent: Path) {
            (slot, arguments) = (nil, nil)
            (self.engine, holder) = (engine, engine)
            number = 0
            traits = []
            injectedAt = nil
            self.parent = parent
            isForHeld = parent?.pointee.isForHeld ?? false
            if let parent, isPart { root = parent.pointee.root ?? parent } else { root = nil }
            dependent = parent?.pointee.dependent
        }

        /// A copy of a step to finish on, while others read the first: that one counts the work and ends the graph, so
        /// the copy does neither.
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
        }
    }
}

/// The innermost step of what is under way; nil for nothing.
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

    /// The instance that asks, where needs are noted.
    var dependent: Dependent? { self?.pointee.dependent }

    /// True where a callback makes the requests.
    var isInCallback: Bool { steps.contains { $0.pointee.isCompleting } }

    /// The build of a slot that is under way here.
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

    /// The slot, among those of one for its arguments, whose instance is under construction here.
    func slot(of whole: Slot, for arguments: Arguments, in engine: Engine) -> Slot? {
        let step = steps.first { step in
            step.pointee.number == whole.number && step.pointee.isOf(engine)
                && step.pointee.building != nil
                && step.pointee.arguments?.isEqual(to: arguments) == true
        }
        return step?.pointee.slot
    }

    /// True where a turn is had here, or a build is under way.
    func holds(_ building: Slot.Building) -> Bool {
        steps.contains { $0.pointee.building === building }
    }

    // MARK: - Graphs

    /// The step in which the graph of a further step began.
    var root: Path { self?.pointee.root ?? self }

    /// The graph of a further step, if it has been made.
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
