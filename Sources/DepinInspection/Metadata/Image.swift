#if canImport(Darwin)
import Darwin
#endif

/// An image of the process: the program, or a loaded library.
enum Image {
    /// The file of the image that contains an address.
    static func name(of address: UnsafeRawPointer) -> String? {
        #if os(Linux)
        var info = Info()
        guard addressInfo(address, &info) != 0 else { return nil }
        return info.file.map { String(cString: $0) }
        #elseif canImport(Darwin)
        // Not run so far, because this was built on Linux only.
        var info = Dl_info()
        guard dladdr(address, &info) != 0 else { return nil }
        return info.dli_fname.map { String(cString: $0) }
        #else
        return nil
        #endif
    }

    #if os(Linux)
    /// `Dl_info`, which Glibc's module does not have.
    private struct Info {
        var file: UnsafePointer<CChar>?
        var base: UnsafeRawPointer?
        var symbol: UnsafePointer<CChar>?
        var symbolAddress: UnsafeRawPointer?
    }

    @_silgen_name("dladdr")
    private static func addressInfo(
        _ address: UnsafeRawPointer,
        _ info: UnsafeMutablePointer<Info>
    ) -> CInt
    #endif
}
