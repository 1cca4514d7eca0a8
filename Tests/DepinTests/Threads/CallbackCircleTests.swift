import Foundation
import Testing

@testable import Depin

/// Of the requests that close a circle of threads, the one from within a callback fails.
@Suite(.timeLimit(.minutes(5)))
struct `A circle of threads through a callback` {
    //  a ──► b ──► c ··► a       (··► in initCompleted)

    enum Scope: CaseIterable {
        case container, named, stored, weak

        var scope: ObjectScope {
            switch self {
            case .container: .container
            case .named: ObjectScope(named: "named")
            case .stored: ObjectScope(storageFactory: PermanentStorage.init)
            case .weak: .weak
            }
        }
    }

    /// Who is the last to ask, and so closes the circle.
    enum Closing: CaseIterable {
        case root, callback
    }

    @Test(arguments: Scope.allCases, Closing.allCases)
    func `gives the root what it asks for, and its error to the callback`(
        _ kind: Scope,
        _ closing: Closing
    ) {
        expectErrorInCallback(kind.scope, ofCallback: kind.scope, closing)
    }

    @Test(arguments: [false, true], Closing.allCases)
    func `fails the callback of an unshared instance, and not the root`(
        _ isTransient: Bool,
        _ closing: Closing
    ) {
        expectErrorInCallback(.container, ofCallback: isTransient ? .transient : .graph, closing)
    }

    private func expectErrorInCallback(
        _ scope: ObjectScope,
        ofCallback callbackScope: ObjectScope,
        _ closing: Closing
    ) {
        let container = Container()
        let (isBuildingA, mayAskForB) = (Gate(), Gate())
        let (isInCallback, mayAskForA) = (Gate(), Gate())
        let callback = Shared<Result<Part, any Error>?>(nil)
        container.register(Part.self, name: "a") { resolver in
            isBuildingA.open()
            mayAskForB.wait()
            return Part(try resolver.require(Part.self, name: "b"))
        }
        .inObjectScope(scope)
        container.register(Part.self, name: "b") { Part(try $0.require(Part.self, name: "c")) }
            .inObjectScope(scope)
        container.register(Part.self, name: "c") { Part(nil) }
            .inObjectScope(callbackScope)
            .initCompleted { resolver, _ in
                isInCallback.open()
                mayAskForA.wait()
                let result = Result { try resolver.require(Part.self, name: "a") }
                callback.change { $0 = result }
            }

        let one = Running { Result { try container.require(Part.self, name: "b") } }
        isInCallback.wait()
        let two = Running { Result { try container.require(Part.self, name: "a") } }
        isBuildingA.wait()
        switch closing {
        case .root:
            mayAskForA.open()
            one.untilItWaits()
            mayAskForB.open()
        case .callback:
            mayAskForB.open()
            two.untilItWaits()
            mayAskForA.open()
        }
        let (b, a) = (one.value, two.value)
        #expect(throws: Never.self) { try a.get() }
        #expect(throws: Never.self) { try b.get() }
        #expect((try? a.get())?.need === (try? b.get()))
        expectCircular(callback.value)
    }

    //  a ──► b ··► c        c ──► d ··► a

    @Test(arguments: Scope.allCases, [false, true])
    func `fails one of two callbacks, and neither root`(_ kind: Scope, _ isSwapped: Bool) {
        let container = Container()
        let scope = kind.scope
        let callbacks = Shared<[Result<Part, any Error>]>([])
        let gates = [(Gate(), Gate()), (Gate(), Gate())]
        for (index, (root, need, other)) in [("a", "b", "c"), ("c", "d", "a")].enumerated() {
            container.register(Part.self, name: root) {
                Part(try $0.require(Part.self, name: need))
            }
            .inObjectScope(scope)
            let (isInside, mayAsk) = gates[index]
            container.register(Part.self, name: need) { Part(nil) }
                .inObjectScope(scope)
                .initCompleted { resolver, _ in
                    isInside.open()
                    mayAsk.wait()
                    let result = Result { try resolver.require(Part.self, name: other) }
                    callbacks.change { $0.append(result) }
                }
        }
        let roots = ["a", "c"].map { root in
            Running { Result { try container.require(Part.self, name: root) } }
        }
        for (isInside, _) in gates { isInside.wait() }
        let first = isSwapped ? 1 : 0
        gates[first].1.open()
        roots[first].untilItWaits()
        gates[1 - first].1.open()
        for root in roots {
            let result = root.value
            #expect(throws: Never.self) { try result.get() }
        }
        let failures = callbacks.value.filter { (try? $0.get()) == nil }
        #expect(failures.count == 1)
        expectCircular(failures.first)
    }

    /// In the middle of three threads stands a callback; the last one to ask is none.
    //  a ──► b      b ──► c ··► d      d ──► a
    @Test func `of three threads fails the callback of the one in the middle`() {
        let container = Container()
        let inside = ["a", "c", "d"].reduce(into: [:]) { $0[$1] = Gate() }
        let mayGo = ["a", "c", "d"].reduce(into: [:]) { $0[$1] = Gate() }
        let callback = Shared<Result<Part, any Error>?>(nil)
        for (root, need) in [("a", "b"), ("d", "a")] {
            let (isInside, mayAsk) = (inside[root], mayGo[root])
            container.register(Part.self, name: root) { resolver in
                isInside?.open()
                mayAsk?.wait()
                return Part(try resolver.require(Part.self, name: need))
            }
            .inObjectScope(.container)
        }
        container.register(Part.self, name: "b") { Part(try $0.require(Part.self, name: "c")) }
            .inObjectScope(.container)
        let (isInside, mayAsk) = (inside["c"], mayGo["c"])
        container.register(Part.self, name: "c") { Part(nil) }
            .inObjectScope(.container)
            .initCompleted { resolver, _ in
                isInside?.open()
                mayAsk?.wait()
                let result = Result { try resolver.require(Part.self, name: "d") }
                callback.change { $0 = result }
            }
        let threads = ["a", "b", "d"].map { root in
            Running { Result { try container.require(Part.self, name: root) } }
        }
        for gate in inside.values { gate.wait() }
        mayGo["a"]?.open()
        threads[0].untilItWaits()
        mayGo["c"]?.open()
        threads[1].untilItWaits()
        mayGo["d"]?.open()
        for thread in threads {
            let result = thread.value
            #expect(throws: Never.self) { try result.get() }
        }
        expectCircular(callback.value)
    }

    /// The request stands in a callback, so being asked for in a callback is no remedy.
    private func expectCircular(
        _ result: Result<Part, any Error>?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .failure(let error as ResolutionError) = result,
            error.reason == .circularDependency
        else {
            Issue.record("\(String(describing: result))", sourceLocation: sourceLocation)
            return
        }
        let isInCallback = error.path.contains { $0.isCompleting }
        #expect(isInCallback, sourceLocation: sourceLocation)
        #expect(!error.otherPath.isEmpty, sourceLocation: sourceLocation)
        let fix = error.description.split(separator: "\n").first { $0.contains("fix: ") } ?? ""
        #expect(!fix.contains("initCompleted"), "\(fix)", sourceLocation: sourceLocation)
        #expect(fix.contains("Lazy") || fix.contains("Provider"), sourceLocation: sourceLocation)
    }
}

private final class Part: Sendable {
    let need: Part?
    init(_ need: Part?) { self.need = need }
}
