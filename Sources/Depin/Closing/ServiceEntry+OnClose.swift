extension ServiceEntry {
    /// Adds a closer for each instance, which runs when its container closes.
    ///
    /// ```swift
    /// container.register(Database.self) { LiveDatabase() }
    ///     .inObjectScope(.container)
    ///     .onClose { database in try await database.shutdown() }
    ///
    /// try await container.close()
    /// ```
    ///
    /// `Container.close()` runs it for every kept instance, after the closers of everything that needed the
    /// instance. Of several closers of one registration, the last one added runs first. A closer may throw:
    /// the others still run, and `close()` throws all their errors.
    ///
    /// A closer may take a second parameter, which says how the work ended: see ``ScopeOutcome``. It may
    /// suspend; closers of instances that do not need each other then run at the same time. To run it on an
    /// actor, name the actor:
    ///
    /// ```swift
    /// .onClose { @DatabaseActor database in database.flush() }
    /// ```
    ///
    /// A closer gets the instance that the factory made, without its decorators, like `initCompleted`. So it
    /// closes once, however often it is wrapped, and before the services that its decorators use.
    ///
    /// Unshared instances and registered instances are closed, too, if they have a closer; until then the
    /// container that received the request holds them. An instance dropped earlier, by a reset, by
    /// `removeAll()` or by a new registration, is not closed.
    ///
    /// Call this where you register the service: for instances built earlier, the needs are unknown, and
    /// closers get them with their decorators.
    @discardableResult
    @preconcurrency
    public func onClose(
        _ closer: @escaping @isolated(any) @Sendable (Service) throws -> Void
    ) -> Self {
        guard closer.isolation == nil else {
            return adding(.async { box, _ in try await closer(service(in: box)) })
        }
        let unisolated = withoutIsolation(closer, as: (@Sendable (Service) throws -> Void).self)
        return adding(.sync { box, _ in try unisolated(service(in: box)) })
    }

    /// Adds a closer for each instance that hears how the work ended.
    ///
    /// ```swift
    /// container.register(UnitOfWork.self) { r in UnitOfWork(r ~> Database.self) }
    ///     .inObjectScope(.request)
    ///     .onClose { unit, outcome in
    ///         outcome.isCompleted ? try await unit.commit() : try await unit.rollback()
    ///     }
    /// ```
    ///
    /// Everything else is as in the form with one parameter.
    @discardableResult
    @preconcurrency
    public func onClose(
        _ closer: @escaping @isolated(any) @Sendable (Service, ScopeOutcome) throws -> Void
    ) -> Self {
        guard closer.isolation == nil else {
            return adding(.async { box, outcome in try await closer(service(in: box), outcome) })
        }
        let unisolated = withoutIsolation(
            closer,
            as: (@Sendable (Service, ScopeOutcome) throws -> Void).self
        )
        return adding(.sync { box, outcome in try unisolated(service(in: box), outcome) })
    }

    /// Adds an asynchronous closer for each instance.
    ///
    /// Closers of instances that do not need each other run at the same time. Everything else is as in the
    /// synchronous form.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func onClose(_ closer: @escaping @Sendable (Service) async throws -> Void) -> Self {
        onClose { service, _ in try await closer(service) }
    }

    /// Adds an asynchronous closer for each instance that hears how the work ended.
    ///
    /// Everything else is as in the synchronous form.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func onClose(
        _ closer: @escaping @Sendable (Service, ScopeOutcome) async throws -> Void
    ) -> Self {
        adding(.async { box, outcome in try await closer(service(in: box), outcome) })
    }

    private func adding(_ closer: Registration.Closer) -> Self {
        let registration = slot.registration
        let isFirst = !registration.traits.contains(.hasClosers)
        registration.addCloser(closer)
        engine.noteCloser(of: slot)
        if isFirst { registration.tellIfNeverClosed() }
        return self
    }
}

private func service<Service>(in box: AnyBox) -> Service {
    unsafeDowncast(box, to: Box<Service>.self).value
}

/// A closer that runs on no actor, as what it is.
///
/// A closure for a parameter that is not `@isolated(any)` loses its actor, and one that is can only be awaited. The
/// language has no conversion for who has asked `isolation` and has seen that there is none; the two types are called
/// the same way (SE-0431).
private func withoutIsolation<Isolated, Unisolated>(_ closer: Isolated, as type: Unisolated.Type)
    -> Unisolated
{
    unsafeBitCast(closer, to: type)
}
