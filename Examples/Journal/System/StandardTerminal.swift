import Foundation
import JournalDomain

package struct StandardTerminal: Terminal {
    package init() {}

    package func show(_ line: String) {
        print(line)
    }

    package func warn(_ line: String) {
        FileHandle.standardError.write(Data("journal: \(line)\n".utf8))
    }
}
