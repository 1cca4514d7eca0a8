import Depin
import Foundation
import JournalDomain
import JournalSystem

/// Keeps entries in files.
package struct StorageAssembly: Assembly {
    private let folder: URL

    package init(folder: URL) {
        self.folder = folder
    }

    // The stores warn of broken files on the terminal.
    package var requires: [any Assembly] { [SystemAssembly()] }

    package func assemble(container: Container) {
        // Two singletons of one type. Each is built when it is first used: who only lists entries
        // never touches the drafts.
        for name in [StoreName.entries, .drafts] {
            let folder = folder.appendingPathComponent(name.rawValue)
            container.register(EntryStore.self, name: name) { r in
                FileStore(folder: folder, terminal: r ~> Terminal.self)
            }
            .inObjectScope(.container)
        }
        container.contribute(Exporter.self, name: "jsonl") { LineExporter() }
    }
}
