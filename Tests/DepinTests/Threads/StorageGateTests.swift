import Foundation
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A storage's gate` {
    /// Stops the first thread that looks at the instance.
    private final class HoldingStorage: InstanceStorage {
        let inside = Shared(), most = Shared()
        let isHeld = Gate(), mayGo = Gate()
        private var stored: Any?

        private func visit<Result>(_ body: () -> Result) -> Result {
            let count = inside.count()
            most.change { $0 = max($0, count) }
            if !isHeld.isOpen {
                isHeld.open()
                mayGo.wait()
            }
            defer { inside.change { $0 -= 1 } }
            return body()
        }

        var instance: Any? {
            get { visit { stored } }
            set { visit { stored = newValue } }
        }
    }

    enum Use: CaseIterable {
        case resolve, reset
    }

    @Test(arguments: Use.allCases)
    func `holds a second thread back while one is inside`(_ use: Use) {
        let (container, storage) = (Container(), HoldingStorage())
        let (inside, most, isHeld, mayGo) = (
            storage.inside, storage.most, storage.isHeld, storage.mayGo
        )
        let kept = Kept(storage)
        let scope = ObjectScope(storageFactory: { kept.storage })
        container.register(Thing.self) { Thing() }.inObjectScope(scope)
        let first = Running { container ~> Thing.self }
        isHeld.wait()
        let second = Running {
            switch use {
            case .resolve: DepinTests.use(container ~> Thing.self)
            case .reset: container.resetObjectScope(scope)
            }
        }
        while Site.shared.waitingThreads.isEmpty, most.value < 2 {
            Thread.sleep(forTimeInterval: 0.0002)
        }
        mayGo.open()
        DepinTests.use((first.value, second.value))
        #expect(most.value == 1)
        #expect(inside.value == 0)
    }

    /// Lends a storage to a scope.
    private final class Kept: @unchecked Sendable {  // The gate guards the storage.
        let storage: any InstanceStorage

        init(_ storage: any InstanceStorage) {
            self.storage = storage
        }
    }
}
