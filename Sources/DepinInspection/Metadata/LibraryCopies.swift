import Depin

// If an app and a framework both link the library, or a test bundle and its host, each has a copy, and registrations in
// one are missing in the other. Only requests fail then, so the images of the process are searched for copies.

/// The copies of the library in this process.
package enum LibraryCopies {
    /// Prints, once for the process, that there are several.
    package static func report() { _ = hasReported }

    private static let hasReported: Void = {
        guard let warning = warning(for: images) else { return }
        if let test = RunningTests.known, test.name != nil {
            test.warn(warning)
        } else {
            printToStandardError("Depin: \(warning)")
        }
    }()

    /// The loaded images that contain the library.
    static var images: [String] {
        FieldSections.all.filter(hasLibrary).compactMap(\.baseAddress)
            .map { Image.name(of: $0) ?? "an unknown image" }
    }

    private static func hasLibrary(_ section: UnsafeRawBufferPointer) -> Bool {
        FieldDescriptor.all(in: section).contains { descriptor in
            descriptor.owner.map { $0.module == "Depin" && $0.path == "Container" } ?? false
        }
    }

    static func warning(for images: [String]) -> String? {
        guard images.count > 1 else { return nil }
        return """
            this process has \(images.count) copies of Depin: what is registered in one is not found in another
            \(images.map { "    in \($0)" }.joined(separator: "\n"))
              fix: link one copy: let the modules that share services depend on the product DepinDynamic
            """
    }
}
