import Depin
import Foundation
import Testing

/// Everything that is eager is made at launch.
struct WarmUpTests {
    private let container = Container(defaultObjectScope: .container)

    @Test func `what the decorator of a further type requests is made first`() async throws {
        container.register(Settings.self, asyncFactory: { Settings() }).eager()
        container.register(Plain.self) { Plain() }.implements((any Plainness).self).eager()
        container.decorate((any Plainness).self) { resolver, inner in
            use(try resolver.require(Settings.self))
            return inner
        }
        container.autoregister(
            Idle.self,
            asyncInitializer: { (_: Plain, _: any Plainness) in Idle() }
        ).eager()
        try await container.warmUp()
        #expect(container.resolve(Idle.self) != nil)
    }

    //  Depot ──► Network ──► Settings, of which Network is not eager
    @Test func `what is eager is made once, needs first`() async throws {
        let made = EventLog<String>()
        container.autoregister(
            Depot.self,
            asyncInitializer: { (network: Network) in
                made.note("depot")
                return Depot(network: network)
            }
        ).eager()
        container.autoregister(
            Network.self,
            initializer: { (settings: Settings) in
                made.note("network")
                return Network(settings: settings)
            }
        )
        container.register(
            Settings.self,
            asyncFactory: {
                await Task.yield()
                made.note("settings")
                return Settings()
            }
        ).eager()
        container.register(Idle.self) { fatalError("nobody has asked for it") }
        let report = try await container.warmUp()
        #expect(made.all == ["settings", "network", "depot"])
        #expect(Set(report.services.map { "\($0.request)" }) == ["Settings", "Network", "Depot"])
        #expect(report.criticalPath.last.map { "\($0.request)" } == "Depot")
        #expect((container ~> Depot.self).network.settings === (container ~> Settings.self))

        let second = try await container.warmUp()
        #expect(second.services.isEmpty && second.criticalPath.isEmpty)
        #expect(made.all.count == 3)
    }

    //  Depot (async) ──► Network, which requests Settings (async) without saying so
    @Test(arguments: ["factory", "decorator", "eager"], [1, 4])
    func `what a needed service may request comes first`(
        _ form: String,
        _ width: Int
    ) async throws {
        container.autoregister(Depot.self, asyncInitializer: { (n: Network) in Depot(network: n) })
            .eager()
        let settings = Settings()
        let network = container.register(Network.self) { r in
            form == "decorator"
                ? Network(settings: settings)
                : Network(settings: try r.require(Settings.self))
        }
        if form == "eager" { network.eager() }
        if form == "decorator" {
            container.decorate(Network.self) { r, network in
                use(try r.require(Settings.self))
                return network
            }
        }
        container.register(
            Settings.self,
            asyncFactory: {
                await Task.yield()
                return Settings()
            }
        )
        .eager()
        #expect(try await container.warmUp(width: width).services.count == 3)
    }

    @Test func `a default is made that answers, and no other`() async throws {
        container.register(Settings.self) { Settings() }.asDefault().eager()
        container.register(Idle.self) { fatalError("it yields") }.asDefault().eager()
        container.register(Idle.self) { Idle() }
        let report = try await container.warmUp()
        #expect(report.services.map { "\($0.request)" } == ["Settings"])
    }

    @Test func `what a further type decorates is made, too`() async throws {
        let made = CallCount()
        container.register(Settings.self) {
            made.add()
            return Settings()
        }
        .implements(AnyObject.self, Any.self)
        .eager()
        container.decorate(AnyObject.self, asyncDecorator: { _, _ in Idle() })
        try await container.warmUp()
        #expect(try container.require(AnyObject.self) is Idle)
        #expect(made.count == 1)
    }

    @Test func `what nothing keeps is made once, whatever types are decorated`() async throws {
        let made = CallCount()
        container.register(Settings.self) {
            made.add()
            return Settings()
        }
        .inObjectScope(.transient)
        .implements(AnyObject.self)
        .eager()
        container.decorate(AnyObject.self) { _, _ in Idle() }
        try await container.warmUp()
        #expect(made.count == 1)
    }

    @Test(arguments: [1, 2, 3])
    func `no more than the width are made at a time`(width: Int) async throws {
        let (running, most) = (CallCount(), EventLog<Int>())
        for name in 0..<6 {
            container.register(
                Settings.self,
                name: "\(name)",
                asyncFactory: {
                    most.note(running.add())
                    for _ in 0..<10 { await Task.yield() }
                    running.add(-1)
                    return Settings()
                }
            ).eager()
        }
        try await container.warmUp(width: width)
        #expect(most.all.count == 6)
        #expect(most.all.allSatisfy { $0 <= width })
    }

    @Test func `the parents' too, and what belongs to the main actor there`() async throws {
        let child = Container(parent: container)
        container.register(Panel.self, mainActorFactory: { Panel() }).eager()
        child.register(Settings.self) { Settings() }.inObjectScope(.container).eager()
        let report = try await child.warmUp()
        #expect(report.services.count == 2)
        #expect(container.resolve(Panel.self) != nil)
    }

    @Test func `the first failure is thrown when the others have ended, and it can go on`()
        async throws
    {
        let (gate, made) = (AsyncGate(), CallCount())
        container.register(
            Settings.self,
            asyncFactory: {
                await gate.wait()
                made.add()
                return Settings()
            }
        ).eager()
        container.register(
            Idle.self,
            asyncFactory: {
                defer { gate.open() }
                if made.count == 0 { throw Failure() }
                return Idle()
            }
        ).eager()
        let error = await #expect(throws: ResolutionError.self) { try await container.warmUp() }
        #expect(error?.underlyingError is Failure)
        #expect(made.count == 1)
        let report = try await container.warmUp()
        #expect(report.services.map { "\($0.request)" } == ["Idle"])
    }

    @Test func `after a failure nothing more begins`() async {
        let begun = CallCount()
        for name in ["a", "b", "c"] {
            container.register(
                Settings.self,
                name: name,
                asyncFactory: {
                    begun.add()
                    throw Failure()
                }
            ).eager()
        }
        await #expect(throws: ResolutionError.self) { try await container.warmUp(width: 1) }
        #expect(begun.count == 1)
    }

    //  Depot, which takes time ──► Network ──► Settings
    @Test func `what others need begins first, and then what takes time`() async throws {
        let begun = EventLog<String>()
        container.register(Settings.self) { Settings() }
        container.autoregister(
            Network.self,
            initializer: { (settings: Settings) in
                begun.note("network")
                return Network(settings: settings)
            }
        ).eager()
        container.autoregister(Depot.self, asyncInitializer: Depot.init).eager()
        for name in 0..<8 {
            container.register(Idle.self, name: "\(name)") {
                begun.note("idle")
                return Idle()
            }
            .eager()
        }
        container.register(
            Settings.self,
            name: "slow",
            asyncFactory: {
                begun.note("slow")
                return Settings()
            }
        ).eager()
        let report = try await container.warmUp(width: 1)
        #expect(begun.all.first == "slow")
        #expect(begun.all.count == 10)
        let names = report.services.map { "\($0.request)" }
        let (network, depot) = (names.firstIndex(of: "Network"), names.firstIndex(of: "Depot"))
        #expect(try #require(network) < #require(depot))
    }

    //  Depot ──► Network, which is not eager, ──~> Settings, which takes time      Idle needs nothing
    @Test(
        arguments: [
            "factory", "declared", "decorator", "callback", "decorator of what takes time",
            "callback of what takes time", "factory below a decorator that takes time",
        ]
    )
    func `what may ask for what takes time begins when that has ended`(_ way: String) async throws {
        let made = EventLog<String>()
        container.register(
            Settings.self,
            asyncFactory: {
                while !made.all.contains("idle") { await Task.yield() }
                await letOthersRun()
                made.note("settings")
                return Settings()
            }
        ).eager()
        container.register(Idle.self) {
            made.note("idle")
            return Idle()
        }
        .eager()
        let network = container.register(Network.self) { r in
            Network(settings: try r.require(Settings.self))
        }
        switch way {
        case "factory": network.eager()
        case "declared": container.autoregister(Depot.self, initializer: Depot.init).eager()
        case "decorator":
            container.register(Depot.self) { Depot(network: Network(settings: Settings())) }.eager()
            container.decorate(Depot.self) { r, _ in Depot(network: try r.require(Network.self)) }
        case "callback":
            container.register(Depot.self) { Depot(network: Network(settings: Settings())) }.eager()
                .initCompleted { r, _ in use((try? r.require(Network.self)) as Any) }
        case "decorator of what takes time":
            container.register(
                Depot.self,
                asyncFactory: { Depot(network: Network(settings: Settings())) }
            ).eager()
            container.decorate(
                Depot.self,
                initializer: { (_: Depot, network: Network) in Depot(network: network) }
            )
        case "callback of what takes time":
            container.register(
                Depot.self,
                asyncFactory: { Depot(network: Network(settings: Settings())) }
            )
            .eager()
            .initCompleted { r, _ in use((try? r.require(Network.self)) as Any) }
        default:
            container.register(Depot.self) { r in Depot(network: try r.require(Network.self)) }
                .eager()
            container.decorate(Depot.self, asyncDecorator: { _, depot in depot })
        }
        let report = try await container.warmUp()
        #expect(made.all == ["idle", "settings"])
        #expect(report.services.contains { "\($0.request)" == "Network" })
    }

    //  Depot, which is awaited ──► Network, which takes time, with a decorator ──~> Idle, which takes time
    @Test func `what is awaited begins before what may ask for more`() async throws {
        container.autoregister(Depot.self, asyncInitializer: Depot.init).eager()
        container.register(
            Network.self,
            asyncFactory: { Network(settings: Settings()) }
        ).eager()
        container.decorate(Network.self) { r, network in
            _ = try r.require(Idle.self)
            return network
        }
        container.register(
            Idle.self,
            asyncFactory: {
                await letOthersRun()
                return Idle()
            }
        ).eager()
        #expect(try await container.warmUp().services.count == 3)
    }

    //  Depot, which takes time ──► Network, whose factory may ask for anything      Idle takes time
    @Test func `what it needs does not wait for others that take time`() async throws {
        let isMade = AsyncGate()
        container.autoregister(Depot.self, asyncInitializer: Depot.init).eager()
        container.register(Network.self) { _ in
            isMade.open()
            return Network(settings: Settings())
        }
        .eager()
        container.register(
            Idle.self,
            asyncFactory: {
                await isMade.wait()
                return Idle()
            }
        )
        .eager()
        .initCompleted { _, _ in }
        let report = try await inTime { [container] in try await container.warmUp() }
        #expect(report.services.count == 3)
    }

    //  Depot, which takes time ──► Idle, Network ──~> Settings, which takes time
    @Test func `what any of several needs may request comes first`() async throws {
        container.autoregister(
            Depot.self,
            asyncInitializer: { (_: Idle, network: Network) in Depot(network: network) }
        )
        .eager()
        container.register(Idle.self) { Idle() }
        container.register(Network.self) { r in Network(settings: try r.require(Settings.self)) }
        container.register(Settings.self, asyncFactory: { Settings() }).eager()
        #expect(try await container.warmUp(width: 1).services.count == 4)
    }

    @Test func `a width of nothing stops the program`() async {
        await #expect(processExitsWith: .failure) { try await Container().warmUp(width: 0) }
    }

    @Test func `a circle among eager services is an error`() async throws {
        container.autoregister(Depot.self, asyncInitializer: Depot.init).eager()
        container.register(
            Network.self,
            asyncFactory: { r in
                Network(settings: try await r.requireAsync(Depot.self).network.settings)
            }
        )
        let error = await #expect(throws: ResolutionError.self) { try await container.warmUp() }
        #expect(error?.reason == .circularDependency)
    }

    @Test func `what needs arguments or a scope that is not open is left out`() async throws {
        container.register(Settings.self) { (_, _: Int) in Settings() }.eager()
        container.register(Idle.self) { Idle() }.inObjectScope(ObjectScope(opened: "none")).eager()
        #expect(try await container.warmUp().services.isEmpty)
    }

    @Test func `what is eager in vain is named, with its line and the reason`() async throws {
        let request = ObjectScope(opened: "request")
        container.register(Settings.self) { (_, _: Int) in Settings() }.eager()
        let line = #line - 1
        container.register(Settings.self) { Settings() }.inObjectScope(.graph).eager()
        container.register(Idle.self) { Idle() }.inObjectScope(.weak).eager()
        container.register(Idle.self, name: "request") { Idle() }.inObjectScope(request).eager()
        container.register(Settings.self, anyName: { _, _ in Settings() }).eager()
        let report = try await container.warmUp()
        let place = "DepinSpecificationTests/WarmUpTests.swift"
        #expect(
            report.description.split(separator: "\n").suffix(5) == [
                "  eager in vain: Settings with (Int), registered at \(place):\(line): it takes arguments, which only a request has",
                "  eager in vain: Settings, registered at \(place):\(line + 2): scope graph keeps nothing",
                "  eager in vain: Idle, registered at \(place):\(line + 3): scope weak keeps nothing",
                "  eager in vain: Idle named \"request\", registered at \(place):\(line + 4): scope request is not open here",
                "  eager in vain: Settings of any name, registered at \(place):\(line + 5): it takes the name of the request",
            ]
        )
        let scope = container.openScope(request)
        #expect(try await !scope.warmUp().description.contains("scope request is not open"))
        try await scope.close()
    }

    // MARK: - Chrome's trace

    @Test func `the trace keeps to the rules of the format`() async throws {
        container.autoregister(Depot.self, asyncInitializer: Depot.init).eager()
        container.autoregister(Network.self, initializer: Network.init)
        for name in ["a\"quote\"", "b\\slash", "c\nline"] {
            container.register(
                Settings.self,
                name: name,
                asyncFactory: {
                    await Task.yield()
                    return Settings()
                }
            ).eager()
        }
        container.register(Settings.self) { Settings() }
        let report = try await container.warmUp()
        let data = Data(report.chromeTrace.utf8)
        let trace = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let events = try #require(trace["traceEvents"] as? [[String: Any]])
        #expect(trace["displayTimeUnit"] as? String == "ms")
        #expect(events.count == report.services.count && events.count == 6)
        #expect(events.contains { $0["name"] as? String == "Settings named \"c\nline\"" })
        // Complete events have a name, a phase, a time and a duration in microseconds, and a row, in which
        // they lie one after the other or in each other.
        var rows: [Int: [ClosedRange<Double>]] = [:]
        for event in events {
            #expect(event["ph"] as? String == "X")
            #expect(event["pid"] as? Int == 1)
            let start = try #require(event["ts"] as? Double)
            let duration = try #require(event["dur"] as? Double)
            #expect(start >= 0 && duration >= 0)
            rows[try #require(event["tid"] as? Int), default: []].append(start...(start + duration))
        }
        for ranges in rows.values {
            for (one, other) in zip(ranges, ranges.dropFirst()) {
                #expect(one.upperBound <= other.lowerBound || one.upperBound >= other.upperBound)
            }
        }
    }
}

// MARK: -

private struct Failure: Error {}
private final class Idle: Sendable {}
private final class Settings: Sendable {}

@MainActor
private final class Panel {}

private final class Network: Sendable {
    let settings: Settings

    init(settings: Settings) {
        self.settings = settings
    }
}

private final class Depot: Sendable {
    let network: Network

    init(network: Network) {
        self.network = network
    }
}

private protocol Plainness: Sendable {}
private struct Plain: Plainness {}
