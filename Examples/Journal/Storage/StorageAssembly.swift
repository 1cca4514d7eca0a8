import Depin
import Foundation
import JournalDomain

/// What keeps entries in files.
package struct StorageAssembly: Assembly {
    private let folder: URL

    package init(folder: URL) {
        self.folder = folder
    }

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
    }
}
