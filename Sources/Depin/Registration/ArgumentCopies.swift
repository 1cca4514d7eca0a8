/// The copies of an entry, each of which keeps its instance for one value of the arguments.
///
/// Nobody hears when an object that is shared weakly goes. So each request looks at some of the copies, in
/// turn, and lets go of those that keep nothing.
final class ArgumentCopies: Sendable {
    /// A copy, and the arguments for which it keeps an instance; the lock of the state guards it too.
    fileprivate final class Member {
        let entry: AnyServiceEntry
        let arguments: Arguments
        let hash: Int
        /// Its place in the queue, nil once it has left.
        var position: Int?
        /// How many requests are under way that use it.
        var users = 1
        /// True once it keeps an instance, until a reset.
        var isKeeping = false
        /// The instance, where that is shared weakly.
        weak var object: AnyObject?

        init(_ entry: AnyServiceEntry, _ arguments: Arguments, _ hash: Int) {
            self.entry = entry
            self.arguments = arguments
            self.hash = hash
        }

        /// True where nobody uses it and it keeps nothing.
        ///
        /// Who looks at an instance may be the last to hold it, so it goes to the caller, to be released without
        /// the lock.
        func isIdle(_ seen: inout [AnyObject]) -> Bool {
            guard users == 0, !isKeeping else { return false }
            guard let object else { return true }
            seen.append(object)
            return false
        }
    }

    fileprivate struct State {
        var lists: [Int: [Member]] = [:]
        /// All of them, to be looked at in turn.
        var queue: [Member] = []
        var next = 0
        /// Counts those that have ever come.
        var arrivals = 0
    }

    private let state = Guarded(State())

    /// All of them.
    var entries: [AnyServiceEntry] { state.withLock { $0.queue.copied }.map(\.entry) }

    /// Lends the copy for some arguments to a body that gives the instance, and keeps it if that does.
    func withCopy(
        of entry: AnyServiceEntry,
        for arguments: Arguments,
        _ body: (AnyServiceEntry) throws -> AnyBox
    ) rethrows -> AnyBox {
        let member = enter(entry, arguments)
        var made: AnyBox?
        defer { leave(member, made) }
        let box = try body(member.entry)
        made = box
        return box
    }

    /// The same for a body that takes time.
    func withCopy(
        of entry: AnyServiceEntry,
        for arguments: Arguments,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (AnyServiceEntry) async throws -> AnyBox
    ) async rethrows -> AnyBox {
        let member = enter(entry, arguments)
        var made: AnyBox?
        defer { leave(member, made) }
        let box = try await body(member.entry)
        made = box
        return box
    }

    /// The copy for some arguments, which stays for as long as it is used.
    private func enter(_ entry: AnyServiceEntry, _ arguments: Arguments) -> Member {
        // Comparing arguments runs the user's code, so it is done without the lock.
        let hash = arguments.hash ?? 0
        var seen: [AnyObject] = []
        while true {
            let (known, arrivals) = state.withLock { ($0.lists[hash] ?? [], $0.arrivals) }
            if let member = known.first(where: { $0.arguments.isEqual(to: arguments) }) {
                if state.withLock({ $0.enter(member, &seen) }) { return member }
                member.entry.sink.dropInstances(of: [member.entry])
                continue
            }
            let member = Member(EntryCopy(forArgumentsOf: entry), arguments, hash)
            let isAdded = state.withLock { state in
                guard state.arrivals == arrivals else { return false }
                state.add(member)
                return true
            }
            if isAdded { return member }
        }
    }

    private func leave(_ member: Member, _ made: AnyBox?) {
        let isWeak = member.entry.kind == .weak
        let object = isWeak ? heapObject(in: made?.anyValue) : nil
        state.withLock { _ in
            member.users -= 1
            if let object { member.object = object }
            if made != nil, !isWeak { member.isKeeping = true }
        }
        var dropped: [Member]
        var seen: [AnyObject] = []
        repeat {
            dropped = state.withLock { $0.dropNext(&seen) }
            if !dropped.isEmpty {
                member.entry.sink.dropInstances(of: dropped.map(\.entry))
            }
        } while !dropped.isEmpty
    }

    /// Drops what is kept for some arguments, or for all.
    ///
    /// The caller releases the result.
    func reset(
        _ arguments: Arguments?
    ) -> [(entry: AnyServiceEntry, dropped: AnyServiceEntry.Dropped)] {
        let members = state.withLock { $0.queue.copied }.filter { member in
            arguments.map { member.arguments.isEqual(to: $0) } ?? true
        }
        let dropped = members.flatMap { $0.entry.resetAll(nil) }
        var seen: [AnyObject] = []
        state.withLock { state in
            for member in members {
                (member.isKeeping, member.object) = (false, nil)
                state.dropIfIdle(member, &seen)
            }
        }
        return dropped
    }

    /// True where one of them shares an instance.
    var hasShared: Bool {
        entries.contains(where: \.hasShared)
    }
}

// MARK: - Under the lock

extension ArgumentCopies.State {
    fileprivate mutating func add(_ member: ArgumentCopies.Member) {
        arrivals += 1
        member.position = queue.count
        queue.append(member)
        lists[member.hash, default: []].append(member)
    }

    /// Notes one more use, unless the copy has left or keeps nothing: a new one is made as the entry is by now.
    fileprivate mutating func enter(
        _ member: ArgumentCopies.Member,
        _ seen: inout [AnyObject]
    ) -> Bool {
        if dropIfIdle(member, &seen) || member.position == nil { return false }
        member.users += 1
        return true
    }

    /// Takes out those of the next two that keep nothing.
    fileprivate mutating func dropNext(_ seen: inout [AnyObject]) -> [ArgumentCopies.Member] {
        var dropped: [ArgumentCopies.Member] = []
        for _ in 0..<2 where !queue.isEmpty {
            if next >= queue.count { next = 0 }
            let member = queue[next]
            if dropIfIdle(member, &seen) {
                dropped.append(member)
            } else {
                next += 1
            }
        }
        return dropped
    }

    @discardableResult
    fileprivate mutating func dropIfIdle(
        _ member: ArgumentCopies.Member,
        _ seen: inout [AnyObject]
    ) -> Bool {
        guard member.isIdle(&seen), let position = member.position else { return false }
        member.position = nil
        let last = queue.removeLast()
        if last !== member {
            queue[position] = last
            last.position = position
        }
        let others = lists[member.hash]?.filter { $0 !== member } ?? []
        lists[member.hash] = others.isEmpty ? nil : others
        // What there was room for once is not needed forever.
        if lists.capacity > 64, lists.count < lists.capacity / 4 {
            lists = lists.filter { _ in true }
            queue = queue.map(\.self)
        }
        return true
    }
}
