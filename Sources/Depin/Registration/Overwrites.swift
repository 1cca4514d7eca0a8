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
        package var isMeant = false
    }

    enum Event {
        case overwrite(Overwrite)
        /// A registration says that it overrides and has replaced nothing.
        case idle(CodePlace)
        /// A registration, by its number, says that it overrides, and a parent has one.
        case overParent(UInt)
    }

    /// How many are remembered: a key that is registered anew all the time is no reason to grow.
    private static let limit = 8

    private var events: [Event] = []

    package var all: [Overwrite] {
        events.compactMap { if case .overwrite(let overwrite) = $0 { overwrite } else { nil } }
    }

    /// Where a registration says that it overrides and has replaced nothing.
    package var idle: CodePlace? {
        events.lazy.compactMap { if case .idle(let place) = $0 { place } else { nil } }.last
    }

    /// True where a registration, says that it overrides a parent's.
    package func isMeantOverParent(_ registration: Registration) -> Bool {
        events.contains { if case .overParent(registration.number) = $0 { true } else { false } }
    }

    mutating func note(_ event: Event) {
        events = events.suffix(Self.limit - 1) + [event]
    }

    /// Forgets that a registration has replaced another one, which is there again.
    mutating func forget(_ registration: Registration) {
        events = events.filter { event in
            guard case .overwrite(let overwrite) = event else { return true }
            return overwrite.registration != registration.number
        }
    }

    /// Notes that what a registration has replaced was meant to be; false if it has replaced nothing.
    mutating func confirm(_ registration: Registration) -> Bool {
        guard all.contains(where: { $0.registration == registration.number }) else { return false }
        events = events.map { event in
            guard case .overwrite(var overwrite) = event else { return event }
            overwrite.isMeant = overwrite.isMeant || overwrite.registration == registration.number
            return .overwrite(overwrite)
        }
        return true
    }
}
