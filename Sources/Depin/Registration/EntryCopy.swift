/// What keeps instances of a registration elsewhere: in an open scope, or for some arguments.
///
/// All else is the registration's: what is added there applies here at once.
final class EntryCopy: AnyServiceEntry, @unchecked Sendable {
    // Nothing but what it inherits changes.

    /// The registration.
    ///
    /// A copy for arguments does not hold it, because the registration holds its copies. Whoever uses such a copy
    /// holds the registration: a request while it lasts, and what is known of an instance that is to be closed.
    // PERF: unsafe, because asking whether it is still there took 300 of the 8,000 instructions of an instance (row
    // 15-ten).
    unowned(unsafe) let original: AnyServiceEntry
    private let held: AnyServiceEntry?

    /// One that keeps what it builds for as long as an open scope does.
    init(of original: AnyServiceEntry, openedIn sink: any RegistrationSink) {
        (self.original, held) = (original, original)
        super.init(copying: original, original.currentTraits.with(.permanent), sink: sink)
    }

    /// One for some arguments, beside another one that has none.
    init(forArgumentsOf entry: AnyServiceEntry) {
        (original, held) = ((entry as? EntryCopy)?.original ?? entry, nil)
        let traits = entry.currentTraits.subtracting(.perArguments)
        super.init(copying: entry, traits, sink: entry.sink)
    }

    override var additions: Traits { original.currentTraits.intersection(.additions) }

    override var callbackCount: Int { original.callbackCount }

    override var argumentsType: Any.Type { original.argumentsType }

    override func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> AnyBox {
        try original.make(resolver, arguments)
    }

    override func makeAsync(
        _ resolver: any Resolver,
        _ arguments: Arguments?
    ) async throws -> AnyBox {
        try await original.makeAsync(resolver, arguments)
    }

    override func complete(_ resolver: any Resolver, _ instance: AnyBox) {
        original.complete(resolver, instance)
    }

    override var lastDecorator: AnyDecorator? { original.lastDecorator }

    override func runClosers(_ instance: AnyBox) -> [any Error] { original.runClosers(instance) }

    override func runClosers(_ instance: AnyBox) async -> [any Error] {
        await original.runClosers(instance)
    }

    override var closesAsynchronously: Bool { original.closesAsynchronously }

    override func weakInstance(_ instance: AnyBox) -> WeakInstance? {
        original.weakInstance(instance)
    }

    override func box(_ instance: WeakInstance) -> AnyBox? { original.box(instance) }

    override func box(_ instance: Any) -> AnyBox? { original.box(instance) }
}
