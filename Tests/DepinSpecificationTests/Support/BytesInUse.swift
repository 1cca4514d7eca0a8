import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// True under a sanitizer, which makes everything slow and looks for leaks by itself.
let isSanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
    ProcessInfo.processInfo.environment[$0] != nil
}

/// What malloc has given out; zero where that cannot be asked.
func bytesInUse() -> Int {
    #if canImport(Glibc) && arch(x86_64)
    // `mallinfo2` is in no module of Swift's. It returns a structure, so in this calling convention it
    // takes the address of one, as if it were its parameter.
    typealias Function = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer
    guard let symbol = dlsym(nil, "mallinfo2") else { return 0 }
    let function = unsafeBitCast(symbol, to: Function.self)
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 10) { fields in
        guard let start = fields.baseAddress else { return 0 }
        _ = function(start)
        return fields[7]  // uordblks
    }
    #else
    return 0
    #endif
}
