/// A service's factory, by its parameters.
@usableFromInline
enum Factory<Service> {
    // A case of its own, because a closure around the user's costs 48 bytes a service.
    case withoutResolver(() throws -> Service)
    /// A registered instance.
    case instance(Box<Service>)
    case resolving((any Resolver) throws -> Service)
    case withArguments((any Resolver, _Arguments) throws -> Service)
    case onMainActor(@MainActor (any Resolver, _Arguments) throws -> Service)
    case onMainActorWithoutResolver(@MainActor () throws -> Service)
    case async((any Resolver, _Arguments) async throws -> Service)

    /// Makes a service.
    @inline(__always)
    func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> Service {
        switch self {
        case .withoutResolver(let make):
            return try make()
        case .instance(let box):
            return box.value
        case .resolving(let make):
            return try make(resolver)
        case .withArguments(let make):
            return try make(resolver, arguments ?? .none)
        case .onMainActor(let make):
            return try assumingMainActor { try make(resolver, arguments ?? .none) }
        case .onMainActorWithoutResolver(let make):
            return try assumingMainActor(make)
        case .async:
            preconditionFailure("an asynchronous factory was called by who cannot wait")
        }
    }

    /// The traits that the factory gives its registration.
    var traits: Registration.Traits {
        switch self {
        case .withoutResolver: .asksNothing
        case .instance: [.isInstance, .asksNothing]
        case .resolving, .withArguments: []
        case .onMainActor: .isMainActor
        case .onMainActorWithoutResolver: [.isMainActor, .asksNothing]
        case .async: .isAsync
        }
    }
}

/// Runs a main-actor closure on the main thread, from code that the compiler does not know to be there: the trait is
/// checked before each build.
///
/// `MainActor.assumeIsolated` insists on a `Sendable` result, although nothing leaves the actor.
private func assumingMainActor<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    nonisolated(unsafe) var result: Result?
    try MainActor.assumeIsolated { result = try body() }
    guard let result else { preconditionFailure("the body neither returned nor threw") }
    return result
}
