#if os(Linux)
import Foundation

/// A thread as the system sees it.
final class SleepingThread: Sendable {
    private let place: String

    init(_ body: @escaping @Sendable () -> Void) {
        let (place, isKnown) = (EventLog<String>(), Latch())
        Thread.detachNewThread {
            let path = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/thread-self"
            )
            place.note("/proc/\(path ?? "")/status")
            isKnown.open()
            body()
        }
        isKnown.wait()
        self.place = place.all.first ?? ""
    }

    private func field(_ name: String) -> String {
        let lines = (try? String(contentsOfFile: place, encoding: .utf8))?.split(separator: "\n")
        let line = lines?.first { $0.hasPrefix(name + ":") } ?? ""
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }

    /// Returns once the thread has nothing to do for a while; no result depends on how soon it is.
    func untilItSleeps() {
        var looks = 0
        while looks < 3 {
            looks = field("State").hasPrefix("S") ? looks + 1 : 0
            Thread.sleep(forTimeInterval: 0.0002)
        }
    }

    var switches: Int { Int(field("voluntary_ctxt_switches")) ?? 0 }
}
#endif
