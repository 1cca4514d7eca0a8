import Depin
import DepinInspection
import Testing

//      App
//     ╱   ╲
//  Feed   Wallet
//     ╲   ╱   ╲
//    Network   Log
struct `Assemblies that require others` {
    @Test func `come after what they require, each type once`() {
        let events = EventLog<String>()
        Assembler().apply(Module.app(events))

        #expect(events.assembled == ["network", "feed", "log", "wallet", "app"])
        #expect(events.all.count == 10)
    }

    @Test func `are told that all are loaded once, after all`() {
        let events = EventLog<String>()
        Assembler().apply(Module.app(events))

        #expect(
            events.all.suffix(5)
                == ["network", "feed", "log", "wallet", "app"].map { "loaded \($0)" }
        )
    }

    @Test func `register the same in every order`() {
        let modules: [@Sendable (EventLog<String>) -> any Assembly] = [
            Module.app, Module.feed, Module.wallet, Module.network, Module.log,
        ]
        for order in permutations(modules) {
            let events = EventLog<String>()
            Assembler(order.map { $0(events) }).apply(Module.app(events))

            let assembled = events.assembled
            // `App` was given twice.
            #expect(assembled.count == 6)
            #expect(Set(assembled).count == 5)
            for (requirer, required) in [
                ("app", "feed"), ("app", "wallet"), ("feed", "network"), ("wallet", "network"),
                ("wallet", "log"),
            ] {
                #expect(assembled.precedes(required, requirer))
            }
        }
    }

    @Test func `find there what an earlier apply or a parent has`() {
        let events = EventLog<String>()
        let parent = Assembler { Log(events: events) }
        let child = Assembler(parent: parent) { Feed(events: events) }
        child.apply(Wallet(events: events))

        #expect(events.assembled == ["log", "network", "feed", "wallet"])
    }

    @Test func `do not bring what was required to what is given later`() {
        let events = EventLog<String>()
        let assembler = Assembler { Feed(events: events) }
        assembler.apply(Network(events: events))
        _ = Assembler(parent: assembler) { Network(events: events) }

        #expect(events.assembled == ["network", "feed"])
    }

    @Test func `leave what is given twice as it is`() {
        let events = EventLog<String>()
        let assembler = Assembler {
            Network(events: events)
            Network(events: events)
        }
        assembler.apply(Feed(events: events))
        assembler.apply(Network(events: events))

        #expect(events.assembled == ["network", "network", "feed", "network"])
    }

    @Test func `take what is given along with them, wherever it stands`() {
        let events = EventLog<String>()
        // `Configured` is not `Equatable`: nobody can tell that it differs.
        Assembler().apply {
            Needy(name: "needy", events: events) { [Configured(name: "default", events: events)] }
            Configured(name: "mine", events: events)
        }

        #expect(events.assembled == ["mine", "needy"])
    }

    @Test func `may require each other`() {
        let events = EventLog<String>()
        let assembler = Assembler { Hen(events: events) }
        assembler.apply(Egg(events: events))

        #expect(events.assembled == ["egg", "hen"])
        #expect(assembler.resolver.resolve(String.self) == "a hen of an egg")
    }

    @Test func `are applied anew after all has been removed`() {
        let events = EventLog<String>()
        let container = Container()
        let assembler = Assembler([Feed(events: events)], container: container)
        container.removeAll()
        assembler.apply(Feed(events: events))

        #expect(events.assembled == ["network", "feed", "network", "feed"])
    }

    @Test func `are known to another assembler of the container and to a fork of it`() {
        let events = EventLog<String>()
        let container = Container()
        Assembler(container: container).apply(Feed(events: events))
        Assembler(container: container).apply(Wallet(events: events))
        let fork = Assembler(container: container.fork())
        fork.apply(Module.app(events))
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { $0.register(String.self) { "fake" } }) {
                SpaceValues.current.dependenciesAssembler.apply(Module.app(events))
            }
        }

        #expect(events.assembled == ["network", "feed", "log", "wallet", "app", "app"])
        #expect(fork.appliedAssemblies.types.count == 5)
    }

    @Test func `are applied once by threads that apply at the same time`() async {
        for _ in 0..<20 {
            let events = EventLog<String>()
            let parent = Assembler()
            let assemblers = (0..<4).map { _ in Assembler(parentAssembler: parent) } + [parent]
            await withTaskGroup(of: Void.self) { group in
                for assembler in assemblers {
                    group.addTask {
                        parent.apply(Feed(events: events))
                        // Whoever has applied it finds there what it requires.
                        #expect(assembler.resolver.resolve(Int.self) == 1)
                        assembler.apply(Wallet(events: events))
                    }
                }
            }
            let assembled = events.assembled
            #expect(assembled.count { $0 == "network" } == 1)
            #expect(assembled.precedes("network", "feed"))
            #expect(assembled.precedes("log", "wallet"))
        }
    }

    @Test func `may apply others while they register`() {
        let events = EventLog<String>()
        Assembler().apply(Nesting(events: events))

        #expect(events.assembled == ["log", "network", "feed", "nesting"])
    }

    @Test func `may apply what requires them while they register`() {
        struct Outer: Assembly {
            let events: EventLog<String>
            func assemble(container: Container) {
                events.note("assemble outer")
                Assembler(container: container).apply(
                    Needy(name: "inner", events: events) { [Outer(events: events)] }
                )
            }
        }
        let events = EventLog<String>()
        Assembler().apply(Outer(events: events))

        #expect(events.assembled == ["outer", "inner"])
    }

    /// `Nesting` applies `Feed`, which requires `Network`.
    @Test func `come before an inner apply's assemblies, which the outer one would apply later`() {
        let lists: [@Sendable (EventLog<String>) -> [any Assembly]] = [
            { [Nesting(events: $0), Module.network($0)] },
            { [Nesting(events: $0), Module.feed($0), Module.network($0)] },
            { [Nesting(events: $0), FakeNetwork(events: $0)] },
        ]
        let assembled = lists.map { list in
            let events = EventLog<String>()
            Assembler().apply(assemblies: list(events))
            // Each is told once for each time that it was applied.
            let loaded = events.all.filter { $0.hasPrefix("loaded") }.map { $0.dropFirst(7) }
            #expect(loaded.sorted() == events.assembled.map { $0[...] }.sorted())
            return events.assembled
        }
        #expect(assembled[0] == ["log", "network", "feed", "nesting"])
        #expect(assembled[1] == ["log", "network", "feed", "nesting", "feed"])
        #expect(assembled[2] == ["log", "fake network", "feed", "nesting"])
    }

    /// The inner one takes `Second` from the outer one, which has all registrations in place only later.
    @Test func `that an inner apply takes are told when the outer one has registered all`() {
        struct Second: Assembly {
            let found: EventLog<Int>
            func assemble(container: Container) {}
            func loaded(resolver: any Resolver) { found.note(resolver.resolve(Int.self) ?? 0) }
        }
        struct Requiring: Assembly {
            let found: EventLog<Int>
            var requires: [any Assembly] { [Second(found: found)] }
            func assemble(container: Container) {}
        }
        struct First: Assembly {
            let found: EventLog<Int>
            func assemble(container: Container) {
                Assembler(container: container).apply(Requiring(found: found))
            }
        }
        struct Last: Assembly {
            func assemble(container: Container) { container.register(Int.self) { 5 } }
        }
        let found = EventLog<Int>()
        Assembler().apply(assemblies: [First(found: found), Second(found: found), Last()])
        #expect(found.all == [5])
    }

    @Test func `of an inner apply are not lost where its assembly has removed everything`() {
        let events = EventLog<String>()
        let assembler = Assembler()
        assembler.apply(assemblies: [
            Removing(events: events), Nesting(events: events), Module.network(events),
        ])
        #expect(events.assembled.suffix(2) == ["nesting", "network"])
        #expect(assembler.resolver.resolve(Int.self) == 1)
    }

    @Test(arguments: ["required", "given", "given before", "given to the child"])
    func `stop the program where two values of a type differ`(way: String) async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [way = way as String] in
            let assembler = Assembler()
            switch way {
            case "required":
                assembler.apply(Clashing())
            case "given":
                assembler.apply {
                    Storage(folder: "b")
                    Entries()
                }
            case "given before":
                assembler.apply(Storage(folder: "b"))
                assembler.apply(Entries())
            default:
                assembler.apply(Entries())
                _ = Assembler(parent: assembler) { Storage(folder: "b") }
            }
        }
        try Golden("assemblies that differ, \(way)").check(try Golden.trap(in: result))
    }

    @Test func `are an error of those forms that can throw`() throws {
        let conflict = #expect(throws: AssemblyConflict.self) {
            _ = try Assembler(assemblies: [Clashing()])
        }
        let found = try #require(conflict)
        #expect("\(found.type)" == "Storage")
        #expect(found.requirers.first.map { "\($0)" } == "Entries")
        #expect(found.requirers.second.map { "\($0)" } == "Drafts")

        let parent = Assembler { Entries() }
        #expect(throws: AssemblyConflict.self) {
            _ = try Assembler(assemblies: [Drafts()], parentAssembler: parent)
        }
    }

    @Test func `register nothing where there is a conflict`() {
        let container = Container()
        _ = try? Assembler(assemblies: [Clashing()], container: container)

        #expect(!container.hasAnyRegistration(of: String.self))
        #expect(Assembler(container: container).appliedAssemblies.types.isEmpty)
    }

    @Test func `may require equal values`() {
        let assembler = Assembler {
            Entries()
            Storage(folder: "a")
        }
        assembler.apply(Storage(folder: "a"))

        #expect(assembler.resolver.resolve(String.self) == "a")
    }

    @Test func `may require values that are not Equatable, of which the first is used`() {
        struct Folder: Assembly {
            let name: String

            func assemble(container: Container) {
                let name = name
                container.register(String.self) { name }
            }
        }
        struct Reader: Assembly {
            var requires: [any Assembly] { [Folder(name: "a")] }

            func assemble(container: Container) {}
        }
        struct Writer: Assembly {
            var requires: [any Assembly] { [Folder(name: "b")] }

            func assemble(container: Container) {}
        }
        let assembler = Assembler {
            Reader()
            Writer()
        }

        #expect(assembler.resolver.resolve(String.self) == "a")
    }
}

struct `Assemblies that replace others` {
    @Test(arguments: [false, true])
    func `stand for what anyone requires`(isFirst: Bool) {
        let events = EventLog<String>()
        let assembler = Assembler()
        assembler.apply {
            if isFirst { FakeNetwork(events: events) }
            Module.app(events)
            if !isFirst { FakeNetwork(events: events) }
        }

        #expect(events.assembled.first == "fake network")
        #expect(events.assembled.count == 5)
        #expect(assembler.resolver.resolve(Int.self) == 2)
    }

    @Test func `stand for what is given`() {
        let events = EventLog<String>()
        Assembler().apply {
            Network(events: events)
            FakeNetwork(events: events)
            Network(events: events)
        }

        #expect(events.assembled == ["fake network"])
    }

    @Test func `stand for what comes later, also in a child`() {
        let events = EventLog<String>()
        let assembler = Assembler { FakeNetwork(events: events) }
        assembler.apply(Feed(events: events))
        _ = Assembler(parent: assembler) {
            Network(events: events)
            Wallet(events: events)
        }

        #expect(events.assembled == ["fake network", "feed", "log", "wallet"])
    }

    @Test func `stand for what only a later one of their values replaces`() {
        struct Fake: Assembly {
            let events: EventLog<String>
            let replaces: [any Assembly.Type]
            func assemble(container: Container) { events.note("assemble fake") }
        }
        let events = EventLog<String>()
        let assembler = Assembler { Fake(events: events, replaces: []) }
        assembler.apply(Fake(events: events, replaces: [Network.self]))
        assembler.apply(Feed(events: events))

        #expect(events.assembled == ["fake", "fake", "feed"])
    }

    @Test func `register over what was there before`() {
        let events = EventLog<String>()
        let assembler = Assembler { Feed(events: events) }
        assembler.apply(FakeNetwork(events: events))

        #expect(events.assembled == ["network", "feed", "fake network"])
        #expect(assembler.resolver.resolve(Int.self) == 2)
    }

    @Test func `may be required themselves`() {
        let events = EventLog<String>()
        Assembler().apply {
            Feed(events: events)
            Needy(name: "fakes", events: events) { [FakeNetwork(events: events)] }
        }

        #expect(events.assembled == ["fake network", "feed", "fakes"])
    }

    @Test func `may be replaced`() {
        let events = EventLog<String>()
        Assembler().apply {
            Feed(events: events)
            FakeNetwork(events: events)
            SlowNetwork(events: events)
        }
        #expect(events.assembled == ["slow network", "feed"])
    }

    /// What a list of modules applies, each with the modules that it requires.
    private enum Modules {
        struct Net: Assembly {
            func assemble(container: Container) { applied.note("net") }
        }
        struct App: Assembly {
            var requires: [any Assembly] { [Net()] }
            func assemble(container: Container) { applied.note("app") }
        }
        /// Replaces what it requires.
        struct Wrapper: Assembly {
            var requires: [any Assembly] { [Net()] }
            var replaces: [any Assembly.Type] { [Net.self] }
            func assemble(container: Container) { applied.note("wrapper") }
        }
        struct DistantWrapper: Assembly {
            var requires: [any Assembly] { [App()] }
            var replaces: [any Assembly.Type] { [Net.self] }
            func assemble(container: Container) { applied.note("wrapper") }
        }
        struct Fake: Assembly {
            var replaces: [any Assembly.Type] { [Net.self, Fake.self] }
            func assemble(container: Container) { applied.note("fake") }
        }
        struct FakeUser: Assembly {
            var requires: [any Assembly] { [Fake()] }
            func assemble(container: Container) { applied.note("fake user") }
        }
        struct OtherUser: Assembly {
            var replaces: [any Assembly.Type] { [FakeUser.self] }
            func assemble(container: Container) { applied.note("other user") }
        }
        struct OtherUsersUser: Assembly {
            var requires: [any Assembly] { [OtherUser()] }
            func assemble(container: Container) { applied.note("other user's user") }
        }
        /// Replaces what requires it.
        struct Ghost: Assembly {
            var replaces: [any Assembly.Type] { [Haunted.self] }
            func assemble(container: Container) { applied.note("ghost") }
        }
        struct Haunted: Assembly {
            var requires: [any Assembly] { [Ghost()] }
            func assemble(container: Container) { applied.note("haunted") }
        }

        @TaskLocal static var applied = EventLog<String>()

        static func apply(_ lists: [any Assembly]...) -> [String] {
            $applied.withValue(EventLog()) {
                let assembler = Assembler()
                for list in lists { assembler.apply(assemblies: list) }
                return applied.all
            }
        }
    }

    @Test func `stand for what they require themselves, in any order`() {
        let app: any Assembly = Modules.App()
        for wrapper in [Modules.Wrapper(), Modules.DistantWrapper()] as [any Assembly] {
            for list in [[wrapper, app], [app, wrapper], [app, Modules.Net(), wrapper]] {
                #expect(!Modules.apply(list).contains("net"))
            }
        }
        #expect(Modules.apply([app, Modules.Wrapper()]) == ["wrapper", "app"])
        #expect(Modules.apply([Modules.Net(), Modules.Wrapper()]) == ["wrapper"])
    }

    @Test func `count where only an assembly that is replaced requires them`() {
        let list: [any Assembly] = [
            Modules.FakeUser(), Modules.OtherUsersUser(), Modules.Net(),
        ]
        #expect(Modules.apply(list) == ["other user", "other user's user", "fake"])
        #expect(
            Modules.apply(list.reversed()) == ["fake", "other user", "other user's user"]
        )
        #expect(Modules.apply([Modules.Haunted()]) == ["ghost"])
    }

    @Test func `are not applied again, if they were required`() {
        for list in [[Modules.Net(), Modules.FakeUser()], [Modules.FakeUser(), Modules.Net()]]
            as [[any Assembly]]
        {
            let all = Modules.apply(list, [Modules.Fake()])
            #expect(all == ["fake", "fake user"])
        }
        #expect(Modules.apply([Modules.Fake()], [Modules.Fake()]) == ["fake", "fake"])
        #expect(Modules.apply([Modules.Fake(), Modules.Fake()]) == ["fake", "fake"])
    }

    @Test func `all stand for it where there are several`() {
        let events = EventLog<String>()
        let assembler = Assembler {
            Feed(events: events)
            FakeNetwork(events: events)
            OtherNetwork(events: events)
        }

        #expect(events.assembled == ["fake network", "other network", "feed"])
        #expect(assembler.resolver.resolve(Int.self) == 3)
    }
}

struct `What was applied` {
    @Test func `prints as a tree, with the reasons`() {
        let events = EventLog<String>()
        let parent = Assembler { Log(events: events) }
        let assembler = Assembler(parent: parent) {
            Module.app(events)
            FakeNetwork(events: events)
            Feed(events: events)
        }

        #expect(
            assembler.appliedAssemblies.description == """
                App
                  Feed
                    FakeNetwork in place of Network
                  Wallet
                    FakeNetwork in place of Network
                    Log (of a parent)
                FakeNetwork
                Feed (see above)
                """
        )
        #expect(parent.appliedAssemblies.description == "Log")
        #expect(Assembler().appliedAssemblies.description == "no assembly was applied")
    }

    @Test
    func `shows where assemblies register that share a name, or else where they were applied`() {
        let (log, line) = otherLog()
        let assembler = Assembler {
            log
            Module.log(EventLog())
            Feed(events: EventLog())
        }
        let (file, applied) = ("DepinSpecificationTests/AssemblyRequirementTests.swift", #line - 5)

        #expect(
            assembler.appliedAssemblies.description == """
                DepinSpecificationTests.Log at \(file):\(line)
                DepinSpecificationTests.Log at \(file):\(applied)
                Feed
                  Network
                """
        )
    }

    @Test func `prints where assemblies require each other`() {
        let assembler = Assembler { Hen(events: EventLog()) }

        #expect(assembler.appliedAssemblies.description == "Hen\n  Egg\n    Hen (see above)")
    }

    @Test func `can be asked`() {
        let events = EventLog<String>()
        let applied = Assembler {
            Module.app(events)
            FakeNetwork(events: events)
        }
        .appliedAssemblies
        let types = applied.types.map { "\($0)" }

        #expect(types == ["FakeNetwork", "Feed", "Log", "Wallet", "App"])
        #expect(applied.requirers(of: Network.self).map { "\($0)" } == ["Feed", "Wallet"])
        #expect(applied.requirers(of: FakeNetwork.self).map { "\($0)" } == ["Feed", "Wallet"])
        #expect(applied.requirers(of: App.self).isEmpty)
    }
}

// MARK: - Fixtures

/// An assembly that has the name of another one, and the line of its registration.
private func otherLog() -> (assembly: any Assembly, line: Int) {
    struct Log: Assembly {
        func assemble(container: Container) { container.register(Double.self) { 1 } }
    }
    return (Log(), #line - 2)
}

private protocol Noting: Assembly {
    var name: String { get }
    var events: EventLog<String> { get }
}

extension Noting {
    func assemble(container: Container) { events.note("assemble \(name)") }

    func loaded(resolver: Resolver) { events.note("loaded \(name)") }
}

extension EventLog<String> {
    fileprivate var assembled: [String] {
        all.filter { $0.hasPrefix("assemble ") }.map { String($0.dropFirst("assemble ".count)) }
    }
}

extension [String] {
    fileprivate func precedes(_ one: String, _ other: String) -> Bool {
        guard let first = firstIndex(of: one), let second = firstIndex(of: other) else {
            return false
        }
        return first < second
    }
}

private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard !elements.isEmpty else { return [[]] }
    return elements.indices.flatMap { index in
        var rest = elements
        let element = rest.remove(at: index)
        return permutations(rest).map { [element] + $0 }
    }
}

private enum Module {
    static func app(_ events: EventLog<String>) -> any Assembly { App(events: events) }
    static func feed(_ events: EventLog<String>) -> any Assembly { Feed(events: events) }
    static func wallet(_ events: EventLog<String>) -> any Assembly { Wallet(events: events) }
    static func network(_ events: EventLog<String>) -> any Assembly { Network(events: events) }
    static func log(_ events: EventLog<String>) -> any Assembly { Log(events: events) }
}

private struct App: Noting {
    let name = "app"
    let events: EventLog<String>
    var requires: [any Assembly] { [Feed(events: events), Wallet(events: events)] }
}

private struct Feed: Noting {
    let name = "feed"
    let events: EventLog<String>
    var requires: [any Assembly] { [Network(events: events)] }
}

private struct Wallet: Noting {
    let name = "wallet"
    let events: EventLog<String>
    var requires: [any Assembly] { [Network(events: events), Log(events: events)] }
}

private struct Network: Noting {
    let name = "network"
    let events: EventLog<String>

    func assemble(container: Container) {
        events.note("assemble network")
        container.register(Int.self) { 1 }
    }
}

private struct Log: Noting {
    let name = "log"
    let events: EventLog<String>
}

private struct FakeNetwork: Noting {
    let name = "fake network"
    let events: EventLog<String>
    var replaces: [any Assembly.Type] { [Network.self] }

    func assemble(container: Container) {
        events.note("assemble fake network")
        container.register(Int.self) { 2 }
    }
}

private struct OtherNetwork: Noting {
    let name = "other network"
    let events: EventLog<String>
    var replaces: [any Assembly.Type] { [Network.self] }

    func assemble(container: Container) {
        events.note("assemble other network")
        container.register(Int.self) { 3 }
    }
}

private struct SlowNetwork: Noting {
    let name = "slow network"
    let events: EventLog<String>
    var replaces: [any Assembly.Type] { [FakeNetwork.self] }
}

private struct Configured: Noting {
    let name: String
    let events: EventLog<String>
}

private struct Needy: Noting {
    let name: String
    let events: EventLog<String>
    let needs: @Sendable () -> [any Assembly]
    var requires: [any Assembly] { needs() }
}

private struct Hen: Noting {
    let name = "hen"
    let events: EventLog<String>
    var requires: [any Assembly] { [Egg(events: events)] }

    func assemble(container: Container) {
        events.note("assemble hen")
        container.register(String.self) { r in "a hen of \(r ~> Substring.self)" }
    }
}

private struct Egg: Noting {
    let name = "egg"
    let events: EventLog<String>
    var requires: [any Assembly] { [Hen(events: events)] }

    func assemble(container: Container) {
        events.note("assemble egg")
        container.register(Substring.self) { "an egg" }
    }
}

private struct Removing: Noting {
    let name = "removing"
    let events: EventLog<String>

    func assemble(container: Container) {
        container.removeAll()
        events.note("assemble removing")
    }
}

private struct Nesting: Noting {
    let name = "nesting"
    let events: EventLog<String>
    var requires: [any Assembly] { [Log(events: events)] }

    func assemble(container: Container) {
        Assembler(container: container).apply(Feed(events: events))
        events.note("assemble nesting")
    }
}

private struct Storage: Assembly, Equatable {
    let folder: String

    func assemble(container: Container) {
        let folder = folder
        container.register(String.self) { folder }
    }
}

private struct Entries: Assembly {
    var requires: [any Assembly] { [Storage(folder: "a")] }

    func assemble(container: Container) {}
}

private struct Drafts: Assembly {
    var requires: [any Assembly] { [Storage(folder: "b")] }

    func assemble(container: Container) {}
}

private struct Clashing: Assembly {
    var requires: [any Assembly] { [Entries(), Drafts()] }

    func assemble(container: Container) {}
}
