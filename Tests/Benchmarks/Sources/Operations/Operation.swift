/// Something to be measured: a loop over it.
public struct Operation: Sendable {
    /// A row's number or a floor's letter.
    public let id: String
    /// How many iterations make one sample.
    public let batch: Int
    /// How many operations one iteration is.
    let unit: Int
    private let loop: @Sendable (_ iterations: Int) -> Void

    init(
        _ id: String,
        batch: Int = 2000,
        unit: Int = 1,
        loop: @escaping @Sendable (_ iterations: Int) -> Void
    ) {
        self.id = id
        self.batch = batch
        self.unit = unit
        self.loop = loop
    }

    /// Runs the operation so many times.
    @inline(never)
    public func run(_ iterations: Int) {
        loop(iterations)
        Attic.empty()
    }

    /// The time that one operation takes, measured over one batch.
    func nanoseconds() -> Double {
        let time = ContinuousClock().measure { loop(batch) }
        Attic.empty()
        return time.nanoseconds / Double(batch * unit)
    }
}

/// What a loop makes and leaves for others to destroy, outside the time that is measured.
enum Attic {
    // Used by the thread that measures, and by no other.
    private nonisolated(unsafe) static var objects: [AnyObject] = []

    static func keep(_ object: AnyObject) {
        objects.append(object)
    }

    static func empty() {
        guard !objects.isEmpty else { return }
        objects.removeAll(keepingCapacity: true)
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
