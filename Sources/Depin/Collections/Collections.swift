// A collection is made of the contributions to its elements' type: registrations under keys of their own, each of which
// is resolved like any other.

// By default a derived service is made of contributions, or of nothing.
extension DerivedService {
    static var deferral: Deferral {
        collected.flatMap { derivation(of: $0.element)?.deferral } ?? .none
    }

    static func parts(of asked: DerivedRequest) throws -> [ServiceKey]? {
        guard asked.request.key.isTypeAlone else { return nil }
        guard let collected else { return [] }
        let used = asked.engine.contributions(to: collected)
        // There are no contributions, also none without a name, and nil will do.
        if used.isEmpty, !asked.request.isNeeded,
            asked.engine.contributions(to: collected.type).isEmpty
        {
            return nil
        }
        if collected.hasNames, let failure = asked.engine.duplicateName(among: used) {
            throw asked.path.error(failure, for: asked.request)
        }
        return used.map { $0.key.with(collected.element) }
    }
}

extension Array: DerivedService {
    static var collected: Collected? { Collected(of: Element.self) }

    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        let boxes = asked.boxes
        // The initializer below would write the count into the empty array that all threads share.
        if boxes.isEmpty { return Box<[Element]>([]) }
        // Appending to an array whose element type is unknown looks up metadata (row "collection").
        return Box<[Element]>(
            Array(unsafeUninitializedCapacity: boxes.count) { buffer, count in
                // A missing box is a contribution that was removed meanwhile.
                for case let box? in boxes {
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

extension Dictionary: DerivedService where Key == String {
    static var collected: Collected? { Collected(of: Value.self, hasNames: true) }

    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        var services: [String: Value] = Dictionary()
        for (key, box) in zip(asked.parts, asked.boxes) {
            guard let name = key.name, let box else { continue }
            services[name] = unsafeDowncast(box, to: Box<Value>.self).value
        }
        return Box<[String: Value]>(services)
    }
}
