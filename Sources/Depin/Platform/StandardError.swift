#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Has a function called when the process ends in order, because `main` returns or something calls `exit`.
func atProcessEnd(_ body: @convention(c) () -> Void) {
    atexit(body)
}

/// Writes a line to standard error, at once and in one piece.
package func printToStandardError(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
        _ = write(2, bytes.baseAddress, bytes.count)
    }
}
