// A collection is derived from what modules contribute to its elements' type: registrations under keys of
// their own, each of which is asked for as any other.

/// A type whose instances are made of what modules contribute to the type of their elements.
private protocol CollectionOfContributions: DerivedService {
    static var collection: Collected { get }
}

extension CollectionOfContributions {
    static var collected: Collected? { collection }
    static var deferral: Deferral { derivation(of: collection.element)?.deferral ?? .none }

    static func isDerivable(_ asked: DerivedRequest) -> Bool {
        asked.contributions(to: collection) != nil
    }

    static func parts(of asked: DerivedRequest) throws -> [AnsweredPart]? {
        let collection = collection
        guard let all = asked.contributions(to: collection) else { return nil }
        let used = collection.hasNames ? all.filter { $0.key.name != nil } : all
        if collection.hasNames, let failure = asked.engine.duplicateName(among: used) {
            throw asked.path.error(failure, for: asked.request)
        }
        return used.map { ($0.key.with(collection.element), nil) }
    }
}

extension Array: DerivedService, CollectionOfContributions {
    fileprivate static var collection: Collected { Collected(of: Element.self) }

    static func assemble(_ asked: DerivedRequest) -> AnyBox? {
        let parts = asked.parts
        // The initializer below would write the count into the empty array that all threads share.
        if parts.isEmpty { return Box<[Element]>([]) }
        // Appending where the element's type is not known looks up metadata (row "collection").
        return Box<[Element]>(
            Array(unsafeUninitializedCapacity: parts.count) { buffer, count in
                for part in parts {
                    // Where there is nothing, it was removed meanwhile.
                    guard let box = part.box else { continue }
                    buffer.initializeElement(
                        at: count,
                        to: unsafeDowncast(box, to: Box<Element>.self).value
                    )
                    count += 1
                }
            }
        )
    }
}

extension Dictionary: DerivedService, CollectionOfContributions where Key == String {
    fileprivate static var collection: Collected { Collected(of: Value.self, hasNames: true) }

    static func assemble(_ asked: DerivedRequest) -> AnyBox? {
        var services: [String: Value] = Dictionary()
        for part in asked.parts {
            guard let name = part.key.name, let box = part.box else { continue }
            services[name] = unsafeDowncast(box, to: Box<Value>.self).value
        }
        return Box<[String: Value]>(services)
    }
}

extension DerivedRequest {
    /// What makes a collection; nil where it is a miss: nobody contributes to it, and it is not needed.
    fileprivate func contributions(to collected: Collected) -> [Contributions.Contribution]? {
        guard request.key.isPlain else { return nil }
        let contributions = engine.contributions(to: collected.type)
        return contributions.isEmpty && !request.isNeeded ? nil : contributions
    }
}
