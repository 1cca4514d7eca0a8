extension ContainerCore {
    /// The instance of a shared registration of this container, built if need be.
    ///
    /// It is built with this container's own resolver, never with a child's, and by one thread only,
    /// as the ``ConstructionSite`` says.
    ///
    /// - Throws: `ResolutionError`
    func share<Service>(
        _ entry: ServiceEntry<Service>,
        for request: ServiceRequest
    ) throws -> Box<Service> {
        while true {
            // What this thread is building comes first, also when a reset came between.
            if let own = Resolution.ownProduct(of: entry) {
                return unsafeDowncast(own, to: Box<Service>.self)
            }
            // A way back into a build goes on with the generation that the build began with.
            let begun = Resolution.begunGeneration(of: entry)
            let generation = begun ?? entry.generation
            if begun == nil, let kept = kept(entry) { return kept }

            let built: Box<Service>? = try request.withFrame(for: entry, asked: self) { frame in
                frame.pointee.generation = generation
                _ = try Resolution.enter(frame)
                let subject = ConstructionSite.Subject(
                    entry: ObjectIdentifier(entry),
                    generation: generation
                )
                switch ConstructionSite.shared.request(subject, path: { Resolution.path }) {
                case .build:
                    guard begun != nil || mayBegin(entry, subject) else {
                        Resolution.leave(frame)
                        return nil
                    }
                    return try build(entry, subject, frame, request)
                case .take(let product):
                    defer { Resolution.leave(frame) }
                    let product = unsafeDowncast(product, to: Box<Service>.self)
                    if entry.kind == .stored {
                        Resolution.withGraph(of: frame) { $0.keep(product) }
                    }
                    return product
                case .built(let product):
                    Resolution.leave(frame)
                    let product = unsafeDowncast(product, to: Box<Service>.self)
                    guard entry.kind == .stored, entry.generation == generation else {
                        return product
                    }
                    // A storage may keep an instance for one graph only, and not for this one.
                    let kept = kept(entry)
                    return withExtendedLifetime(product) { kept }
                case .circular(let otherPath):
                    let error = Resolution.error(
                        .circularDependency(otherPath: otherPath),
                        at: frame
                    )
                    Resolution.leave(frame)
                    throw error
                }
            }
            if let built { return built }
        }
    }

    /// The instance that is kept, and kept alive until the graph has ended.
    private func kept<Service>(_ entry: ServiceEntry<Service>) -> Box<Service>? {
        guard entry.kind == .stored else { return entry.permanentBox }
        return Resolution.withGraph(asked: self) { graph in
            let kept = entry.storedInstance(in: GraphIdentifier(graph))
            if let kept {
                graph.keep(kept)
                graph.keep(entry.storageGate)
            }
            return kept
        }
    }

    /// A last look before the factory: false when the request has to be made again, because another
    /// thread built the instance, or a reset came, since the entry was looked at.
    private func mayBegin<Service>(
        _ entry: ServiceEntry<Service>,
        _ subject: ConstructionSite.Subject
    ) -> Bool {
        // In this order: a reset counts first and drops then, so an instance that is missing because of
        // one that comes in between is not taken for one that was never built.
        if kept(entry) == nil, entry.generation == subject.generation { return true }
        ConstructionSite.shared.abandon(subject)
        return false
    }

    private func build<Service>(
        _ entry: ServiceEntry<Service>,
        _ subject: ConstructionSite.Subject,
        _ frame: Resolution.FramePointer,
        _ request: ServiceRequest
    ) throws -> Box<Service> {
        let site = ConstructionSite.shared
        let made: Box<Service>
        do {
            made = Box(try entry.make(self, request))
        } catch {
            site.abandon(subject)
            throw Resolution.failure(frame, error)
        }
        defer { Resolution.leave(frame) }
        let constructed = site.construct(subject, made)
        let kept = unsafeDowncast(constructed.kept, to: Box<Service>.self)
        if constructed.isFirst {
            Resolution.setProduct(kept, of: entry)
            complete(frame, entry, kept.value)
            keep(kept, of: entry, subject.generation, frame)
        }
        site.complete(subject)
        return kept
    }

    private func keep<Service>(
        _ box: Box<Service>,
        of entry: ServiceEntry<Service>,
        _ generation: UInt32,
        _ frame: Resolution.FramePointer
    ) {
        guard entry.kind == .stored else { return entry.keep(box, builtIn: generation) }
        Resolution.withGraph(of: frame) { graph in
            graph.keep(box)
            graph.keep(entry.storageGate)
            entry.store(box, builtIn: generation, in: GraphIdentifier(graph))
        }
    }
}
