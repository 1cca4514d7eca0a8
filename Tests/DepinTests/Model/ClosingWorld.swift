@testable import Depin

extension ObjectScope {
    fileprivate static let session = ObjectScope(opened: "session")
    fileprivate static let request = ObjectScope(opened: "request")
}

/// Runs a ``ClosingProgram``, notes who was given what, and judges the order in which instances closed.
final class ClosingWorld: Sendable {
    final class Part: Sendable {
        let id: Int
        let service: Int

        init(id: Int, service: Int) {
            self.id = id
            self.service = service
        }
    }

    private struct Failed: Error {}

    private struct State {
        var parts: [Part] = []
        /// What each part was given, by their numbers.
        var needs: [Int: Set<Int>] = [:]
        /// What parts can still ask for.
        var later: [@Sendable () -> Void] = []
        var failures: [Int: Int] = [:]
        var built: Set<Int> = []
        var dropped: Set<Int> = []
        var closed: [Int] = []
    }

    private let program: ClosingProgram
    private let state = Guarded(State())
    private let app = Container()

    init(_ program: ClosingProgram) {
        self.program = program
        for number in program.services.indices { register(number) }
    }

    private func register(_ number: Int) {
        let service = program.services[number]
        let scope: ObjectScope =
            switch service.scope {
            case .transient: .transient
            case .graph: .graph
            case .weak: .weak
            case .container: .container
            case .session: .session
            case .request: .request
            }
        let entry = app.register(Part.self, name: "\(number)") { [unowned self] r in
            try make(number, r)
        }
        .inObjectScope(scope)
        if service.isClosed {
            entry.onClose { [unowned self] part in
                state.withLock { $0.closed.append(part.id) }
            }
        }
    }

    // MARK: - Building

    private func make(_ number: Int, _ resolver: any Resolver) throws -> Part {
        let service = program.services[number]
        let part = state.withLock { state in
            let part = Part(id: state.parts.count, service: number)
            state.parts.append(part)
            return part
        }
        for need in service.needs { try meet(need, of: part, resolver) }
        let isFailing = state.withLock { state in
            state.failures[number, default: 0] += 1
            return state.failures[number, default: 0] <= service.failures
        }
        if isFailing { throw Failed() }
        state.withLock { _ = $0.built.insert(part.id) }
        return part
    }

    private func meet(_ need: ClosingProgram.Need, of part: Part, _ resolver: any Resolver) throws {
        let name = "\(need.service)"
        switch need.way {
        case .atOnce:
            note(part, needs: try resolver.require(Part.self, name: name))
        case .byLazy:
            let lazy = try resolver.require(Lazy<Part>.self, name: name)
            try keep(need, for: part, resolver) { lazy.instance }
        case .byProvider:
            let provider = try resolver.require(Provider<Part>.self, name: name)
            try keep(need, for: part, resolver) { provider.instance }
        case .byResolver:
            try keep(need, for: part, resolver) { try? resolver.require(Part.self, name: name) }
        }
    }

    private func note(_ part: Part, needs other: Part) {
        state.withLock { _ = $0.needs[part.id, default: []].insert(other.id) }
    }

    /// What traps where it fails is used where it cannot fail only.
    private func keep(
        _ need: ClosingProgram.Need,
        for part: Part,
        _ resolver: any Resolver,
        _ ask: @escaping @Sendable () -> Part?
    ) throws {
        let core = try resolver.require(Container.self).core
        let isOpen = program.services[need.service].level < core.chain.reduce(0) { n, _ in n + 1 }
        guard need.way == .byResolver || isOpen && !mayFail(need.service) else { return }
        state.withLock { state in
            state.later.append { [unowned self] in
                guard !core.isGone, let other = ask() else { return }
                note(part, needs: other)
            }
        }
    }

    private func mayFail(_ number: Int) -> Bool {
        let service = program.services[number]
        return service.failures > 0 || service.needs.contains { mayFail($0.service) }
    }

    // MARK: - Running

    /// Runs the program, and gives back what was wrong.
    func run() async -> [String] {
        defer { app.removeAll() }
        var open = [app]
        for step in program.steps {
            let container = open[open.count - 1]
            switch step {
            case .open where open.count < 3:
                open.append(container.openScope(open.count == 1 ? .session : .request))
            case .open:
                break
            case .close where open.count > 1:
                try? await container.close()
                open.removeLast()
            case .close:
                break
            case .resolve(let number):
                _ = try? container.require(Part.self, name: "\(number)")
            case .useLater(let choice):
                let later = state.withLock { $0.later }
                if !later.isEmpty { later[choice % later.count]() }
            case .reset:
                app.resetObjectScope(.container)
                dropSingletons()
            }
        }
        try? await app.close()
        return violations
    }

    private func dropSingletons() {
        state.withLock { state in
            let closed = Set(state.closed)
            for part in state.parts
            where program.services[part.service].scope == .container && !closed.contains(part.id) {
                state.dropped.insert(part.id)
            }
        }
    }

    // MARK: - Judging

    private var violations: [String] {
        let state = state.withLock { $0 }
        var violations: [String] = []
        var places: [Int: Int] = [:]
        for (place, id) in state.closed.enumerated() {
            if places[id] != nil { violations.append("\(id) closed twice") }
            places[id] = place
        }
        for id in state.built {
            let isClosed = program.services[state.parts[id].service].isClosed
            if isClosed, !state.dropped.contains(id), places[id] == nil {
                violations.append("\(id) was forgotten")
            }
        }
        for id in state.closed where state.dropped.contains(id) {
            violations.append("\(id) was closed after it was dropped")
        }
        for (id, place) in places {
            for needed in reached(from: id, state.needs) {
                if let other = places[needed], other < place {
                    violations.append("\(needed) closed before \(id), which needed it")
                }
            }
        }
        return violations
    }

    private func reached(from id: Int, _ needs: [Int: Set<Int>]) -> Set<Int> {
        var known: Set<Int> = []
        var ways = [id]
        while let next = ways.popLast() {
            for needed in needs[next] ?? [] where known.insert(needed).inserted {
                ways.append(needed)
            }
        }
        return known
    }
}
