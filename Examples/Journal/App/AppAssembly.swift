import Depin
import Foundation
import JournalDomain
import JournalMarkdown
import JournalSession
import JournalStorage
import JournalSystem

/// The whole program: its modules, and the presenter that shows what they do.
struct AppAssembly: Assembly {
    let folder: URL

    var requires: [any Assembly] {
        [
            SystemAssembly(), StorageAssembly(folder: folder), SessionAssembly(),
            MarkdownAssembly(),
        ]
    }

    func assemble(container: Container) {
        // Not shared, so it is built with the resolver of the session that asks for it, and finds
        // the `UserService` of whoever is logged in. It gets the exporters that the modules contribute.
        container.autoregister(
            JournalPresenter.self,
            mainActorInitializer: JournalPresenter.init
        )
    }
}
