/// A place in the source code: the file and line where something was registered or injected.
public struct CodePlace: Hashable, Sendable, CustomStringConvertible {
    private let fileID: StaticString
    private let lineNumber: UInt32

    @usableFromInline
    init(file: StaticString, line: UInt) {
        fileID = file
        lineNumber = UInt32(truncatingIfNeeded: line)
    }

    /// The module and file, as `#fileID` gives them.
    public var file: String { fileID.description }

    /// The line, counted from one.
    public var line: Int { Int(lineNumber) }

    /// Stops the program with a message that begins with this place, as if the code there had stopped it.
    package func stop(_ message: String) -> Never {
        fatalError(message + RunningTests.lastLine, file: fileID, line: UInt(lineNumber))
    }

    /// File and line: `Module/File.swift:12`.
    @inline(never)
    public var description: String { "\(file):\(line)" }

    /// True when both are the same line of the same file.
    public static func == (left: CodePlace, right: CodePlace) -> Bool {
        left.lineNumber == right.lineNumber && left.file == right.file
    }

    /// Feeds file and line to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(lineNumber)
    }
}
