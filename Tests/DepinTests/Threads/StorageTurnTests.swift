import Foundation
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A storage's turn` {
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
        second.untilItWaits { most.value > 1 }
        mayGo.open()
        DepinTests.use((first.value, second.value))
        #expect(most.value == 1)
        #expect(inside.value == 0)
    }

    @Test func `two in storages that complete each other get each other's constructed instance`() {
        let (container, inBoth) = (Container(), [Gate(), Gate()])
        func register(_ name: String, completedWith other: String, _ index: Int) {
            container.register(Thing.self, name: name) { Thing() }
                .inObjectScope(ObjectScope(storageFactory: { PermanentStorage() }))
                .initCompleted { resolver, _ in
                    inBoth[index].open()
                    inBoth[1 - index].wait()
                    DepinTests.use(resolver ~> (Thing.self, name: other))
                }
        }
        register("one", completedWith: "other", 0)
        register("other", completedWith: "one", 1)
        let threads = ["one", "other"].map { name in
            Running { container ~> (Thing.self, name: name) }
        }
        for (name, thread) in zip(["one", "other"], threads) {
            #expect(thread.value === (container ~> (Thing.self, name: name)))
        }
    }

    @Test(arguments: [true, false])
    func `two requests that meet on a storage for each graph get an instance each`(
        _ isOutermost: Bool
    ) {
        let (container, built) = (Container(), Shared())
        let (inFactory, open) = (Gate(), Gate())
        container.register(Thing.self) {
            let number = built.count()
            if number == 1 {
                inFactory.open()
                open.wait()
            }
            return Thing(number)
        }
        .inObjectScope(ObjectScope(storageFactory: GraphStorage.init))
        container.register([Int].self) { resolver in
            [(resolver ~> Thing.self).number, (resolver ~> Thing.self).number]
        }
        let first = Running { (container ~> Thing.self).number }
        inFactory.wait()
        let second = Running {
            isOutermost ? [(container ~> Thing.self).number] : container ~> [Int].self
        }
        second.untilItWaits()
        open.open()
        #expect(first.value == 1)
        #expect(second.value == (isOutermost ? [2] : [2, 2]))
    }

    /// Asks for something when it is looked into for the second time.
    private final class AskingStorage: InstanceStorage {
        private let ask: () -> Void
        private var looks = 0
        private var stored: Any?

        init(_ ask: @escaping () -> Void) {
            self.ask = ask
        }

        var instance: Any? {
            get {
                looks += 1
                if looks == 2 { ask() }
                return stored
            }
            set { stored = newValue }
        }
    }

    @Test func `is told when it asks for what it keeps, while that is about to be built`() {
        let (container, told) = (Container(), Shared("nothing"))
        let scope = ObjectScope(storageFactory: {
            AskingStorage {
                do {
                    DepinTests.use(try container.require(Thing.self))
                } catch {
                    told.change { $0 = "\(error)" }
                }
            }
        })
        container.register(Thing.self) { Thing() }.inObjectScope(scope)
        let thing = container ~> Thing.self
        #expect(told.value.contains("circular dependency: Thing → Thing"))
        #expect(thing === (container ~> Thing.self))
        container.removeAll()
    }

    /// Lends a storage to a scope.
    private final class Kept: @unchecked Sendable {  // The turn guards the storage.
        let storage: any InstanceStorage

        init(_ storage: any InstanceStorage) {
            self.storage = storage
        }
    }
}
