/// All that an entry knows of its container.
protocol RegistrationSink: GateKeeper, Sendable {
    /// Registers a further key for an entry, and gives back what that replaces.
    @discardableResult
    func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>,
        place: CodePlace
    ) -> Replaced?
    /// Has an entry yield to every other registration of its keys: first of all to those that it has replaced.
    func makeDefault(_ entry: AnyServiceEntry, givingBack replaced: [Replaced])
    /// Forgets what registrations share that are no longer there.
    func dropInstances(of entries: [AnyServiceEntry])
    /// Notes that what an entry has replaced was meant to be.
    func noteOverriding(by entry: AnyServiceEntry)
    /// Notes that instances of an entry are to be closed.
    func noteCloser(of entry: AnyServiceEntry)
    /// True when the container has gone.
    var isGone: Bool { get }
    /// Drops the copies of an entry's instance that make look-ups fast.
    func forgetInstances(of entry: AnyServiceEntry)
}

/// What a registration has replaced under a key.
///
/// It is held by whoever may call for it, and what it shares is dropped when nobody can any more.
final class Replaced {
    let key: ServiceKey
    let entry: AnyServiceEntry
    private let sink: any RegistrationSink

    init(_ entry: AnyServiceEntry, for key: ServiceKey, in sink: any RegistrationSink) {
        self.key = key
        self.entry = entry
        self.sink = sink
    }

    deinit {
        sink.dropInstances(of: [entry])
    }
}
