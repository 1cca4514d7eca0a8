/// An operation beside its floor, and the multiple of it that is the goal.
public struct Row: Sendable {
    /// The row's number, with a letter where it has several.
    public let id: String
    /// What is done.
    public let title: String
    /// The letter of the floor, or another word for it.
    public let floor: String
    /// At most so many times the floor; nil where the ratio is only stated.
    public let goal: Double?
    /// What to reach for beyond the goal.
    public let reach: Double?
    /// The operation alone, for those who count and do not measure time.
    public let operation: Operation
    private let measure: @Sendable () -> Sample?

    /// One measurement of the operation and, right before and after, of its floor.
    public struct Sample: Sendable {
        /// Of one operation.
        public let nanoseconds: Double
        /// Of one operation of the floor.
        public let floorNanoseconds: Double
        /// How many times the floor.
        public var ratio: Double { nanoseconds / floorNanoseconds }
    }

    init(
        _ id: String,
        _ title: String,
        floor: String,
        goal: Double?,
        reach: Double? = nil,
        operation: Operation,
        measure: @escaping @Sendable () -> Sample?
    ) {
        self.id = id
        self.title = title
        self.floor = floor
        self.goal = goal
        self.reach = reach
        self.operation = operation
        self.measure = measure
    }

    /// A row of one thread, whose loop takes the floor's number of iterations.
    init(
        _ id: String,
        _ title: String,
        _ floor: Operation,
        goal: Double?,
        reach: Double? = nil,
        loop: @escaping @Sendable (_ iterations: Int) -> Void
    ) {
        let operation = Operation(id, batch: floor.batch, unit: floor.unit, loop: loop)
        self.init(id, title, floor: floor.id, goal: goal, reach: reach, operation: operation) {
            let before = floor.nanoseconds()
            let time = operation.nanoseconds()
            let after = floor.nanoseconds()
            return Sample(nanoseconds: time, floorNanoseconds: (before + after) / 2)
        }
    }

    /// Measures the operation and its floor; nil when the machine was too busy for it.
    public func sample() -> Sample? {
        SecondThread.keep()
        return measure()
    }
}

extension [Double] {
    /// The value below which so large a part of them lies.
    public func quantile(_ part: Double) -> Double {
        sorted()[Int(part * Double(count - 1))]
    }
}
