extension CurrentThread {
    /// The thread and the task as a message names them, by what a debugger shows:
    /// `thread 4711, in task 0x7f3a5c000b70 "refresh"`.
    static var words: String {
        let thread = isMain ? "the main thread" : "thread \(number)"
        return thread + (task.map { ", in task \($0)" } ?? "")
    }

    /// The address of the task that runs, which another one may have later.
    ///
    /// Debuggers know a task by it, and there is nothing else in this value.
    static var taskAddress: UInt? {
        withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
    }

    private static var task: String? {
        taskAddress.map { address in
            let words = "0x" + String(address, radix: 16)
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
                let name = Task<Never, Never>.name
            else { return words }
            return words + " \"\(name)\""
        }
    }
}
