import Depin

// What is worth a change after the import: messages then name the property, not this extension.

enum FeedBus: String, ServiceName { case refresh, logout }

extension Injected {
    convenience init(
        _ name: FeedBus,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(name as ServiceName, file: file, line: line)
    }
}
