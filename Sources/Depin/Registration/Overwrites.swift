/// What happened under one key of a container: registrations that replaced others.
struct Overwrites {
    /// A registration that replaced another one.
    struct Overwrite {
        /// The number of the registration that replaced.
        let entry: UInt
        let place: CodePlace
        let replaced: CodePlace
        /// True when the replaced registration had given out an instance that it shared.
        let wasHandedOut: Bool
        /// True when the registration says that it overrides.
        var isMeant = false
    }

    /// How many are remembered: a key that is registered anew all the time is no reason to grow.
    private static let limit = 8

    private(set) var all: [Overwrite] = []
    /// Where a registration says that it overrides and has replaced nothing.
    private(set) var idle: CodePlace?

    mutating func add(_ overwrite: Overwrite) {
        all = all.suffix(Self.limit - 1) + [overwrite]
    }

    /// Notes that what an entry has replaced was meant to be.
    mutating func confirm(_ entry: AnyServiceEntry) -> Bool {
        guard all.contains(where: { $0.entry == entry.number }) else { return false }
        all = all.map { overwrite in
            var overwrite = overwrite
            overwrite.isMeant = overwrite.isMeant || overwrite.entry == entry.number
            return overwrite
        }
        return true
    }

    mutating func noteIdle(_ place: CodePlace) {
        idle = place
    }
}
