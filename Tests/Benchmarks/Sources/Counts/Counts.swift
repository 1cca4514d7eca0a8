import CAllocations
import Operations

// Prints what is allocated, a line for each count: `allocations ROW COUNT OWN FURTHER` for one operation,
// `registration BYTES`, and `left ROW BYTES` for what stays after one resolution of the graph.

@main
enum Counts {
    static func main() {
        precondition(count { _ = Footprint.registerNothing() }.count > 0, "nothing is counted")
        for goal in Row.allocationGoals {
            let perOperation = Double(allocations(of: goal.id).count) / 1000
            print("allocations", goal.id, perOperation, goal.own, goal.further)
        }
        precondition(kept.count == 1)
        let thousand = count { kept.append(Footprint.registerThousand()) }
        let nothing = count { kept.append(Footprint.registerNothing()) }
        print("registration", Double(thousand.bytes - nothing.bytes) / 1000)
        for id in ["4", "4g"] {
            print("left", id, Double(allocations(of: id).bytes) / 1000)
        }
    }

    // Reserved, so that it does not grow while bytes are counted; one thread only.
    private nonisolated(unsafe) static var kept: [AnyObject] = {
        var kept: [AnyObject] = []
        kept.reserveCapacity(8)
        // Once before, for the types' metadata, which stay for the whole process.
        kept.append(Footprint.registerThousand())
        return kept
    }()

    /// What a thousand operations of a row allocate.
    private static func allocations(of id: String) -> allocations {
        guard let row = Row.all.first(where: { $0.id == id }) else { fatalError("no row '\(id)'") }
        row.operation.run(10)
        return count { row.operation.run(1000) }
    }

    private static func count(_ body: () -> Void) -> allocations {
        allocations_start()
        body()
        return allocations_stop()
    }
}
