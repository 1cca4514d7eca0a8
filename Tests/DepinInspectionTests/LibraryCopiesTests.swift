import Testing

@testable import DepinInspection

/// Two copies in one process are made by the package `TwoCopies`, which `.ci/run copies` runs.
struct `The copies of the library` {
    @Test func `are one in this process`() {
        #expect(LibraryCopies.images.count == 1)
        #expect(LibraryCopies.images.first?.hasSuffix("xctest") == true)
        #expect(LibraryCopies.warning(for: LibraryCopies.images) == nil)
    }

    @Test func `are named with their images`() {
        #expect(
            LibraryCopies.warning(for: ["/App", "/Feed.so"]) == """
                this process has 2 copies of Depin: what is registered in one is not found in another
                    in /App
                    in /Feed.so
                  fix: link one copy: let the modules that share services depend on the product DepinDynamic
                """
        )
    }
}
