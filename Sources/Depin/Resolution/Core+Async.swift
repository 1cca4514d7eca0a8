// How a request is answered that may take time: as in `Core`, in parts that are not suspended, on a path with
// the task's steps. Between two parts nothing is held but a frame.

/// What a request that may take time has come to, before anything takes time.
enum Begun {
    case known(AnyBox)
    case frame(AsyncFrame, owner: CoreOwner?)
}

extension Core {
    /// The instance for a request of the shell.
    func answer(_ request: AsyncRequest, _ file: StaticString?, _ line: UInt) async throws -> AnyBox
    {
        if isPlain, let ready = registry.ready(for: request.key) { return ready }
        do {
            if let frame = AsyncFrame.current { return try await instance(for: request, in: frame) }
            let graph = ObjectGraph()
            let frame = AsyncFrame(
                graph,
                asked: self,
                owner: request.owner,
                for: request.needer,
                in: nil
            )
            return try await frame.run { try await instance(for: request, in: frame) }
        } catch {
            throw Self.error(error, file, line, by: .requireAsync)
        }
    }

    /// The instance for a request.
    ///
    /// - Throws: `ResolutionError`, also where nothing is registered; `CancellationError`.
    func instance(for request: AsyncRequest, in frame: AsyncFrame) async throws -> AnyBox {
        var request = request
        if let box = try await answer(&request, in: frame) { return box }
        throw Path.joining(frame) { missing(request.plain, $0) }
    }

    /// Answers a request, with nil where nothing is registered.
    private func answer(_ request: inout AsyncRequest, in frame: AsyncFrame) async throws -> AnyBox?
    {
        if let (core, owner) = Path.joining(frame, { inForce($0) }), core !== self {
            (request.asked, request.owner) = (core, owner)
            return try await core.answer(&request, in: frame)
        }
        if hasFlag(.isClosing) {
            try Path.joining(frame) { try checkIsOpen(for: request.plain, $0) }
        }
        let found = find(request.key)
        // The request for what an optional wraps tells the watchers.
        guard hasFlag(.isWatched), found != nil || !request.key.isOptional else {
            return try await answer(&request, with: found, in: frame)
        }
        let watching = Watching(found, watchers)
        request.watchers = watching.watchers
        do {
            try Path.joining(frame) { try watching.begin(request.plain, $0) }
            let box = try await answer(&request, with: found, in: frame)
            Path.joining(frame) { watching.end(request.plain, box, $0) }
            return box
        } catch {
            Path.joining(frame) { watching.fail(request.plain, error, $0) }
            throw error
        }
    }

    private func answer(
        _ request: inout AsyncRequest,
        with found: Found?,
        in frame: AsyncFrame
    ) async throws -> AnyBox? {
        if let found { return try await answer(&request, by: found, in: frame) }
        if let optional = request.key.serviceType as? any OptionalValue.Type, !isGone {
            var wrapped = request.with(optional.wrappedType)
            return optional.boxed(try await answer(&wrapped, in: frame))
        }
        return try Path.joining(frame) { path in
            var plain = request.plain
            return try answer(&plain, from: self, path)
        }
    }

    private func answer(
        _ request: inout AsyncRequest,
        by found: Found,
        in frame: AsyncFrame
    ) async throws -> AnyBox {
        let traits = found.entry.currentTraits
        guard traits.contains(.isAsync) else {
            var seen: Set<UInt> = [found.entry.number]
            try await gather(for: found, request, &seen, in: frame)
            return try await answerAtOnce(&request, with: found, in: frame)
        }
        let wrapping =
            hasDecorators(upTo: found.holder) ? decorated(found, for: request.key) : found
        if wrapping.entry === found.entry {
            return try await bare(&request, with: found, in: frame)
        }
        // What wraps it for those who ask here asks at once, and finds it ready if it is shared.
        if traits.kind != .transient {
            var inner = request
            _ = try await bare(&inner, with: found, in: frame)
        }
        return try await answerAtOnce(&request, with: found, in: frame)
    }

    /// The instance of a registration that takes time, without what wraps it here.
    private func bare(
        _ request: inout AsyncRequest,
        with found: Found,
        in frame: AsyncFrame
    ) async throws -> AnyBox {
        let traits = found.entry.currentTraits
        let made =
            traits.kind.isUnshared
            ? try await construct(found.entry, traits, &request, in: frame)
            : try await shared(found, &request, in: frame)
        return try Path.joining(frame) { path in
            var plain = request.plain
            return try give(
                made,
                of: found.entry,
                found.holder,
                isFound: !traits.kind.isUnshared,
                for: &plain,
                path
            )
        }
    }
}

extension ServiceKey {
    fileprivate var isOptional: Bool { serviceType is any OptionalValue.Type }
}
