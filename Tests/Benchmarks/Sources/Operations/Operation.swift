/// Something to be measured: a loop over it.
public struct Operation: Sendable {
    /// The short name: a row's number or a floor's letter.
    public let id: String
    public let title: String
    /// How many iterations make one sample.
    public let batch: Int
    /// How many operations one iteration is.
    public let unit: Int
    public let run: @Sendable (_ iterations: Int) -> Void

    init(
        _ id: String,
        _ title: String,
        batch: Int = 2000,
        unit: Int = 1,
        run: @escaping @Sendable (_ iterations: Int) -> Void
    ) {
        self.id = id
        self.title = title
        self.batch = batch
        self.unit = unit
        self.run = run
    }
}

/// An operation beside its floor, and the multiple of it that is the goal.
public struct Row: Sendable {
    public let operation: Operation
    public let floor: Operation
    public let goal: Double
    /// What to reach for beyond the goal, if anything.
    public let reach: Double?
}
