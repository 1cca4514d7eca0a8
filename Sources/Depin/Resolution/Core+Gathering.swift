// How an ordinary service is had by who can wait: what it declares to need and takes time is made first, and
// then all is as it is without waiting.

extension Core {
    /// Answers a request with a registration whose factory takes no time, on the main actor if it must be.
    func answerAtOnce(
        _ request: inout AsyncRequest,
        with found: Found,
        in frame: AsyncFrame
    ) async throws -> AnyBox {
        let asynchronous = request
        let answer: @Sendable () throws -> (AnyBox, isMade: Bool) = {
            try Path.joining(frame) { path in
                var request = asynchronous.plain
                let box = try self.answer(&request, with: found.entry, of: found.holder, path)
                return (box, request.isMade)
            }
        }
        let isMainActor = found.entry.currentTraits.contains(.isMainActor)
        let box: AnyBox
        (box, request.isMade) =
            isMainActor ? try await MainActor.run(body: answer) : try answer()
        return box
    }

    /// Has made what a registration declares to need and what its factory could not wait for.
    func gather(
        for found: Found,
        _ request: AsyncRequest,
        _ seen: inout Set<UInt>,
        in parent: AsyncFrame
    ) async throws {
        guard !found.entry.declaredNeeds.isEmpty else { return }
        let plain = request.plain
        let found = try Path.joining(parent) { try home(of: found, for: plain, $0) }
        let (entry, traits) = (found.entry, found.entry.currentTraits)
        let asked = traits.kind.isUnshared ? self : found.holder
        let needs = entry.declaredNeeds.compactMap { asked.direct($0) }
        guard !needs.isEmpty else { return }
        let begun = try Path.joining(parent) { path -> Begun in
            if let known = try known(found, request, path) { return .known(known) }
            let owner =
                traits.kind.isUnshared
                ? lent(request.owner, to: path.nextGraph, path)
                : asked.isForValidation ? request.owner?.owner(of: asked) : nil
            let frame = try path.frame(
                entry,
                traits,
                asked: asked,
                owner: owner,
                arguments: request.arguments,
                in: parent
            )
            return .frame(frame, owner: owner)
        }
        guard case .frame(let frame, let owner) = begun else { return }
        try await frame.run {
            for (key, need) in needs where seen.insert(need.entry.number).inserted {
                let request = AsyncRequest(key, to: asked, owner)
                let traits = need.entry.currentTraits
                if traits.isDisjoint(with: [.isAsync, .isMainActor]) {
                    try await asked.gather(for: need, request, &seen, in: frame)
                } else if traits.kind != .transient {
                    _ = try await asked.instance(for: request, in: frame)
                }
            }
        }
    }

    /// The registration that is needed at once by who needs a key.
    func direct(_ key: ServiceKey) -> (key: ServiceKey, found: Found)? {
        if let found = find(key) { return (key, found) }
        guard let optional = key.serviceType as? any OptionalValue.Type else { return nil }
        return direct(key.with(optional.wrappedType))
    }

    /// The instance that there is already.
    private func known(_ found: Found, _ request: AsyncRequest, _ path: Path) throws -> AnyBox? {
        switch found.entry.kind {
        case .transient: nil
        case .graph: path.nextGraph?.find(found.entry, for: number, request.arguments)
        case .permanent, .weak, .stored, .opened: try found.holder.kept(found.entry, path)
        }
    }
}
