/// A place in the source code: the file and line where something was registered or injected.
public struct CodePlace: Hashable, Sendable, CustomStringConvertible {
    // A static string lives as long as the process, so its address is enough: 16 bytes, not 32.
    @usableFromInline let start: UInt
    @usableFromInline let length: Int32
    @usableFromInline let lineNumber: UInt32

    /// Makes a place; the defaults of the parameters that feed it are `#fileID` and `#line`.
    @inlinable
    public init(file: StaticString, line: UInt) {
        if file.hasPointerRepresentation {
            start = UInt(bitPattern: file.utf8Start)
            length = Int32(truncatingIfNeeded: file.utf8CodeUnitCount)
        } else {
            start = 0
            length = 0
        }
        lineNumber = UInt32(truncatingIfNeeded: line)
    }

    /// The module and file, as `#fileID` gives them.
    public var file: String {
        guard let start = UnsafePointer<UInt8>(bitPattern: start) else { return "?" }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(length)),
            as: UTF8.self
        )
    }

    /// The line, counted from one.
    public var line: Int { Int(lineNumber) }

    /// File and line: `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }
}
