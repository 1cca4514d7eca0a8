extension Path {
    /// A registration whose factory or callbacks are running, or a graph that was entered.
    ///
    /// PERF: what it names is lent, not held, which makes it trivial: retaining took 700 instructions a step
    /// (row 3: 2,500 instead of 1,250). Whoever enters a step holds all of it until it is left.
    struct Step: Sendable {
        /// What is being built; nil where a graph was only entered, by `withObjectGraph` or a `Lazy`.
        unowned(unsafe) let entry: AnyServiceEntry?
        /// The number of what is being built, 0 for nothing.
        let number: UInt
        let traits: AnyServiceEntry.Traits
        /// True where what is being built is shared: the container keeps it, or what that keeps may find it.
        let isKept: Bool
        /// The container whose resolver the factory has.
        unowned(unsafe) let asked: Core
        /// Keeps that container open; nil in what a container keeps.
        unowned(unsafe) let owner: CoreOwner?
        unowned(unsafe) let arguments: Arguments?
        let injectedAt: CodePlace?
        let beginsGraph: Bool
        /// The step in which the graph began.
        var root = 0
        /// The generation of a shared entry that is being built.
        let generation: UInt32
        /// The decorator that is running; nil for none.
        unowned(unsafe) var decorator: AnyDecorator?
        /// The factory has returned; callbacks are running.
        var isCompleting = false

        @inline(__always)
        init(
            _ entry: AnyServiceEntry,
            _ traits: AnyServiceEntry.Traits,
            asked: Core,
            owner: CoreOwner?,
            arguments: Arguments?,
            injectedAt: CodePlace?,
            beginsGraph: Bool,
            generation: UInt32
        ) {
            self.entry = entry
            number = entry.number
            self.traits = traits
            isKept = traits.isHeld
            self.asked = asked
            self.owner = owner
            self.arguments = arguments
            self.injectedAt = injectedAt
            self.beginsGraph = beginsGraph
            self.generation = generation
        }

        /// A graph that is entered.
        init(graphOf asked: Core, owner: CoreOwner?) {
            entry = nil
            number = 0
            traits = []
            isKept = false
            self.asked = asked
            self.owner = owner
            arguments = nil
            injectedAt = nil
            beginsGraph = true
            generation = 0
        }
    }
}
