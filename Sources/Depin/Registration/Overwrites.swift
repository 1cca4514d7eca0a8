/// What happened under one key of a container: registrations that replaced others.
package struct Overwrites {
    /// A registration that replaced another one.
    package struct Overwrite {
        /// The number of the registration that replaced.
        package let registration: UInt
        package let place: CodePlace
        package let replaced: CodePlace
        /// True when the replaced registration had given out an instance that it shared.
        package let wasHandedOut: Bool
        /// True when the registration says that it overrides.
        package internal(set) var isMeant = false
    }

    /// How many are remembered: a key that is registered anew all the time is no reason to grow.
    private static let limit = 8

    package private(set) var all: [Overwrite] = []
    /// Where a registration says that it overrides and has replaced nothing.
    package internal(set) var idle: CodePlace?
    /// The number of a registration that says that it overrides a parent's.
    package internal(set) var overParent: UInt?

    mutating func note(_ overwrite: Overwrite) {
        all = all.suffix(Self.limit - 1) + [overwrite]
    }

    /// Forgets that a registration has replaced another one, which is there again.
    mutating func forget(_ registration: Registration) {
        all = all.filter { $0.registration != registration.number }
    }

    /// Notes that what a registration has replaced was meant to be; false if it has replaced nothing.
    mutating func confirm(_ registration: Registration) -> Bool {
        let replaced = all.indices.filter { all[$0].registration == registration.number }
        for index in replaced { all[index].isMeant = true }
        return !replaced.isEmpty
    }
}
