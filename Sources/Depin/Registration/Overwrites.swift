/// The replacements under one key of a container.
package struct Overwrites {
    /// A registration that replaced another one.
    package struct Overwrite {
        /// The number of the registration that replaced.
        package let registration: UInt
        package let place: CodePlace
        package let replaced: CodePlace
        /// True if the replaced registration had handed out a shared instance.
        package let wasHandedOut: Bool
        /// True if the registration says that it overrides.
        package internal(set) var isMeant: Bool
    }

    /// How many are remembered, since a key may be registered anew all the time.
    private static let limit = 8

    package private(set) var all: [Overwrite] = []

    mutating func note(_ overwrite: Overwrite) {
        all = all.suffix(Self.limit - 1) + [overwrite]
    }

    /// Forgets that a registration has replaced another one, which is back.
    mutating func forget(_ registration: Registration) {
        all = all.filter { $0.registration != registration.number }
    }

    /// Marks the replacements by a registration as meant.
    mutating func confirm(_ registration: Registration) {
        for index in all.indices where all[index].registration == registration.number {
            all[index].isMeant = true
        }
    }
}
