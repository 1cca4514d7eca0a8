import Depin
import Foundation

extension World {
    /// Runs all lanes at once, until they have ended.
    func runLanes(_ expectation: LaneExpectation) async {
        tell("\(program.lanes.count) lanes")
        await withTaskGroup(of: Void.self) { group in
            for lane in program.lanes where lane.isTask {
                group.addTask { await self.runTask(lane, expectation) }
            }
            let threads = program.lanes.filter { !$0.isTask }
            if !threads.isEmpty {
                group.addTask { await self.runThreads(threads, expectation) }
            }
        }
    }

    private func runTask(_ lane: Program.Lane, _ expectation: LaneExpectation) async {
        let run = LaneRun(self, expecting: expectation)
        for operation in lane.operations {
            time.change { $0 += 1 }
            await run.run(operation)
        }
    }

    private func runThreads(_ lanes: [Program.Lane], _ expectation: LaneExpectation) async {
        let left = Cell(lanes.count)
        await withCheckedContinuation { continuation in
            for lane in lanes {
                let thread = Thread { [self] in
                    runThread(lane, expectation)
                    let count = left.change { left in
                        left -= 1
                        return left
                    }
                    if count == 0 { continuation.resume() }
                }
                thread.stackSize = 1 << 21
                thread.start()
            }
        }
        // ThreadSanitizer sees this lock, but not a continuation that is resumed before its task has suspended.
        _ = left.value
    }

    /// Lets go of all before the thread says that it has ended.
    private func runThread(_ lane: Program.Lane, _ expectation: LaneExpectation) {
        let run = LaneRun(self, expecting: expectation)
        for operation in lane.operations {
            time.change { $0 += 1 }
            run.runNow(operation)
        }
    }
}
