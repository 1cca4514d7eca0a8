// Where the runtime lists the stored properties of all types: a section in each image of the process.

#if canImport(Darwin)
import Darwin
import MachO
#endif

/// The parts of the loaded images in which field descriptors stand, one after the other.
enum FieldSections {
    #if os(Linux)
    /// The sections of all images that are loaded now.
    static var all: [UnsafeRawBufferPointer] {
        var sections: [UnsafeRawBufferPointer] = []
        withUnsafeMutablePointer(to: &sections) { sections in
            enumerateMetadataSections(
                { table, sections in
                    // Four words, and then the start and length of each kind of section: this is
                    // the sixth.
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
    // Not run so far: this was built on Linux only.

    /// The sections of all images that are loaded now.
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
    /// None: nobody has found out yet how this platform's images are read.
    static var all: [UnsafeRawBufferPointer] { [] }
    #endif
}
