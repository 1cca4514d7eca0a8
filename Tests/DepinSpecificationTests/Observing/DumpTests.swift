import Depin
import Dispatch
import Testing

struct `A dump` {
    /// Swift Testing makes one of everything in an expectation that fails, while other tests go on.
    @Test func `of a container reads nothing that threads change`() {
        final class Screen: Sendable {
            let title = Injected<String>()
        }
        let container = Container()
        let child = Container(parent: container)
        container.register(Screen.self) { Screen() }.inObjectScope(.container)
        withSpace(\.dependenciesContainer, child) {
            let screen = Screen()
            let texts = EventLog<String>()
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                guard index == 0 else {
                    var text = ""
                    dump((child, screen), to: &text)
                    return texts.note(text)
                }
                for number in 0..<100 {
                    container.register(String.self, name: "\(number)") { "title" }
                    container.register(String.self) { "title" }
                    _ = screen.title.wrappedValue
                    container.resetObjectScope(.container)
                }
            }
            // The state of a container has such a table.
            #expect(texts.all.count == 1 && !texts.all[0].contains("scopeSlots"))
        }
    }
}
