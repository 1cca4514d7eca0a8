#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#elseif canImport(WASILibc)
import WASILibc
#elseif os(Windows)
import ucrt
#endif

/// Writes a line to standard error, at once and in one piece.
func printToStandardError(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
        #if os(Windows)
        _ = _write(2, bytes.baseAddress, UInt32(bytes.count))
        #else
        _ = write(2, bytes.baseAddress, bytes.count)
        #endif
    }
}
