import Foundation
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A recursion with other arguments each time` {
    //  0 ──► 1 ──► … ──► 0
    /// How far a ring of registrations gets, each of which asks the next one with a greater number, and
    /// how often the one was entered at which it failed.
    private static func depth(
        ring: Int,
        in scope: ObjectScope,
        upTo end: Int,
        stack: Int = 8 << 20
    ) -> (depth: Int, tooOften: Int?) {
        let (container, depth) = (Container(), Shared())
        for index in 0..<ring {
            container.register(Thing.self, name: "\(index)") { (resolver: any Resolver, n: Int) in
                depth.count()
                if n == end { return Thing(n) }
                let next = (index + 1) % ring
                return try resolver.require(Thing.self, name: "\(next)", argument: n + 1)
            }
            .inObjectScope(scope)
        }
        let (tooOften, done) = (Shared<Int?>(nil), Gate())
        let thread = Thread {
            do {
                use(try container.require(Thing.self, name: "0", argument: 1))
            } catch {
                guard case .recursionTooDeep(let count) = (error as? ResolutionError)?.failure
                else {
                    fatalError("\(error)")
                }
                tooOften.change { $0 = count }
            }
            done.open()
        }
        thread.stackSize = stack
        thread.start()
        done.wait()
        return (depth.value, tooOften.value)
    }

    @Test(arguments: [1, 2], [ObjectScope.transient, .graph, .container])
    func `may enter each registration a hundred times`(_ ring: Int, _ scope: ObjectScope) {
        #expect(Self.depth(ring: ring, in: scope, upTo: 100 * ring).tooOften == nil)
        let tooFar = Self.depth(ring: ring, in: scope, upTo: 100 * ring + 1)
        #expect(tooFar.depth == 100 * ring)
        #expect(tooFar.tooOften == 100)
    }

    @Test(arguments: [3, 10, 70])
    func `may go two hundred steps round a greater ring`(_ ring: Int) {
        #expect(Self.depth(ring: ring, in: .graph, upTo: 200).tooOften == nil)
        // The first step that comes back to its registration after so many.
        let end = (200 + ring - 1) / ring * ring
        let tooFar = Self.depth(ring: ring, in: .graph, upTo: end + 1, stack: 64 << 20)
        #expect(tooFar.depth == end)
        #expect(tooFar.tooOften == end / ring)
    }

    @Test func `may follow a path of any length that leads to it`() {
        let container = Container()
        for index in 0..<300 {
            container.register(Thing.self, name: "\(index)") { resolver in
                index < 299
                    ? try resolver.require(Thing.self, name: "\(index + 1)")
                    : try resolver.require(Thing.self, argument: 50)
            }
        }
        container.register(Thing.self) { (resolver: any Resolver, n: Int) in
            n == 0 ? Thing(n) : try resolver.require(Thing.self, argument: n - 1)
        }
        let (number, done) = (Shared<Int?>(nil), Gate())
        let thread = Thread {
            number.change { $0 = container.resolve(Thing.self, name: "0")?.number }
            done.open()
        }
        thread.stackSize = 16 << 20
        thread.start()
        done.wait()
        #expect(number.value == 0)
    }

    @Test func `never overflows the stack of a thread`() async {
        await #expect(processExitsWith: .success) {
            for ring in [1, 2, 3, 10, 70] {
                for scope in [ObjectScope.graph, .container] {
                    #expect(Self.depth(ring: ring, in: scope, upTo: .max).tooOften != nil)
                }
            }
        }
    }
}
