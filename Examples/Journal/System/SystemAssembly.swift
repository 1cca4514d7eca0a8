import Depin
import JournalDomain

/// What the computer provides: the terminal and the date.
package struct SystemAssembly: Assembly {
    package init() {}

    package func assemble(container: Container) {
        container.register(Terminal.self, instance: StandardTerminal())
        container.register(Today.self) { SystemToday() }
    }
}
