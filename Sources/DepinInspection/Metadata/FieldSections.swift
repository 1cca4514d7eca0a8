// Where the runtime lists the stored properties of all types: in a section of each image of the process.

#if canImport(Darwin)
import Darwin
import MachO
#endif

/// The sections of field descriptors in the loaded images.
enum FieldSections {
    #if os(Linux)
    /// The sections of all loaded images.
    static var all: [UnsafeRawBufferPointer] {
        var sections: [UnsafeRawBufferPointer] = []
        withUnsafeMutablePointer(to: &sections) { sections in
            enumerateMetadataSections(
                { table, sections in
                    // Four words, and then the start and the length of each kind of section: this is the sixth.
                    let words = table.assumingMemoryBound(to: Int.self)
                    let (start, length) = (UnsafeRawPointer(bitPattern: words[14]), words[15])
                    sections?.assumingMemoryBound(to: [UnsafeRawBufferPointer].self).pointee
                        .append(UnsafeRawBufferPointer(start: start, count: length))
                    return true
                },
                sections
            )
        }
        return sections
    }

    @_silgen_name("swift_enumerateAllMetadataSections")
    private static func enumerateMetadataSections(
        _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool,
        _ context: UnsafeMutableRawPointer?
    )
    #elseif canImport(Darwin)
    // Not run so far, because this was built on Linux only.

    /// The sections of all loaded images.
    static var all: [UnsafeRawBufferPointer] {
        (0..<_dyld_image_count()).compactMap { index in
            guard let header = _dyld_get_image_header(index) else { return nil }
            var length: UInt = 0
            #if _pointerBitWidth(_64)
            let start = header.withMemoryRebound(to: mach_header_64.self, capacity: 1) {
                getsectiondata($0, "__TEXT", "__swift5_fieldmd", &length)
            }
            #else
            let start = getsectiondata(header, "__TEXT", "__swift5_fieldmd", &length)
            #endif
            return start.map { UnsafeRawBufferPointer(start: $0, count: Int(length)) }
        }
    }
    #else
    /// None, because nobody has found out yet how to read this platform's images.
    static var all: [UnsafeRawBufferPointer] { [] }
    #endif
}
