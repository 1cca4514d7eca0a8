extension CurrentThread {
    /// The thread and the task as a debugger shows them: `thread 4711, in task 0x7f3a5c000b70 "refresh"`.
    static var words: String {
        let thread = isMain ? "the main thread" : "thread \(number)"
        return thread + (task.map { ", in task \($0)" } ?? "")
    }

    /// The address of the current task, which another task may have later.
    ///
    /// Debuggers identify tasks by it, and the value contains nothing else.
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
