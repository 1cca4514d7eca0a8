/// What a random program may do.
///
/// A program has some of those that are enabled, so that what one finds does not hide what another would.
struct Features: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    static let deferral = Features(rawValue: 1 << 0)
    static let properties = Features(rawValue: 1 << 1)
    static let arguments = Features(rawValue: 1 << 2)
    static let async = Features(rawValue: 1 << 3)
    static let children = Features(rawValue: 1 << 4)
    static let scopes = Features(rawValue: 1 << 5)
    static let forks = Features(rawValue: 1 << 6)
    static let overrides = Features(rawValue: 1 << 7)
    static let registering = Features(rawValue: 1 << 8)
    static let resets = Features(rawValue: 1 << 9)
    static let decorators = Features(rawValue: 1 << 10)
    static let contributions = Features(rawValue: 1 << 11)
    static let closers = Features(rawValue: 1 << 12)
    static let callbacks = Features(rawValue: 1 << 13)
    static let failures = Features(rawValue: 1 << 14)
    static let storages = Features(rawValue: 1 << 15)
    static let graphs = Features(rawValue: 1 << 16)
    static let validation = Features(rawValue: 1 << 17)
    static let busyFactories = Features(rawValue: 1 << 18)
    static let circles = Features(rawValue: 1 << 19)
    static let lanes = Features(rawValue: 1 << 20)
    static let guests = Features(rawValue: 1 << 21)
    /// A factory asks twice for what it does not keep.
    static let glances = Features(rawValue: 1 << 22)
    /// Requests through a view that serializes factories.
    static let serializedViews = Features(rawValue: 1 << 23)
    /// Factories and closers close containers.
    static let closingErrands = Features(rawValue: 1 << 24)
    /// Factories and closers start tasks that they do not await.
    static let leftTasks = Features(rawValue: 1 << 25)
    /// Warm-ups, and requests and validations of tasks that are canceled while a factory is under way.
    static let warmUps = Features(rawValue: 1 << 26)
    static let cancellations = Features(rawValue: 1 << 27)

    // Where features cross.

    /// A decorator fails around an instance that has a closer.
    static let failingDecorators = Features(rawValue: 1 << 32)
    /// A factory resets a scope, or registers anew, where instances close in the order of needs.
    static let changesInFactories = Features(rawValue: 1 << 33)
    /// What was kept in a scope asks when that has ended.
    static let endedScopes = Features(rawValue: 1 << 34)
    /// A property made in a factory is read later, where instances close in the order of needs.
    static let propertyNeeds = Features(rawValue: 1 << 35)
    /// What a fork has made closes with the container that it was forked from.
    static let closingForks = Features(rawValue: 1 << 36)
    /// A second instance, made in a circle through a callback, closes too.
    static let closersInCircles = Features(rawValue: 1 << 37)
    /// A container closes while other lanes build in it.
    static let closingDuringBuilds = Features(rawValue: 1 << 38)
    /// A weak service needs one of an open scope.
    static let weakCaptives = Features(rawValue: 1 << 39)
    /// An override inside an open scope, or a scope opened in one.
    static let overridesInScopes = Features(rawValue: 1 << 40)
    /// A lane resets or registers while others build what has closers.
    static let changesInLanes = Features(rawValue: 1 << 41)
    /// A validation makes what has closers.
    static let validatedClosers = Features(rawValue: 1 << 42)
    /// In a circle through a callback, a child's decorator is around a service of its parent.
    static let decoratorsInCircles = Features(rawValue: 1 << 43)
    /// A factory that takes time resets its own service, and a child has a decorator around that.
    static let decoratedResets = Features(rawValue: 1 << 44)
    /// An open scope goes that nobody has closed.
    static let leftScopes = Features(rawValue: 1 << 45)
    /// A `Provider` is used in an override, where a scope is open.
    static let visitedScopes = Features(rawValue: 1 << 46)
    /// Two scopes are closed at once, of which a closer closes the other.
    static let closingCircles = Features(rawValue: 1 << 47)
    /// Factories of the main actor, among those that tasks have made.
    static let mainActor = Features(rawValue: 1 << 48)
    /// Decorators that take time, of the app's own services.
    static let asyncDecorators = Features(rawValue: 1 << 49)

    static let names: [(name: String, feature: Features)] = [
        ("deferral", .deferral), ("properties", .properties), ("arguments", .arguments),
        ("async", .async), ("children", .children), ("scopes", .scopes), ("forks", .forks),
        ("overrides", .overrides), ("registering", .registering), ("resets", .resets),
        ("decorators", .decorators), ("contributions", .contributions), ("closers", .closers),
        ("callbacks", .callbacks), ("failures", .failures), ("storages", .storages),
        ("graphs", .graphs), ("validation", .validation), ("busyFactories", .busyFactories),
        ("circles", .circles), ("lanes", .lanes), ("guests", .guests),
        ("glances", .glances), ("serializedViews", .serializedViews),
        ("closingErrands", .closingErrands), ("leftTasks", .leftTasks),
        ("warmUps", .warmUps), ("cancellations", .cancellations),
        ("failingDecorators", .failingDecorators),
        ("changesInFactories", .changesInFactories), ("endedScopes", .endedScopes),
        ("propertyNeeds", .propertyNeeds), ("closingForks", .closingForks),
        ("closersInCircles", .closersInCircles), ("closingDuringBuilds", .closingDuringBuilds),
        ("weakCaptives", .weakCaptives), ("overridesInScopes", .overridesInScopes),
        ("changesInLanes", .changesInLanes), ("validatedClosers", .validatedClosers),
        ("decoratorsInCircles", .decoratorsInCircles), ("decoratedResets", .decoratedResets),
        ("leftScopes", .leftScopes), ("visitedScopes", .visitedScopes),
        ("closingCircles", .closingCircles), ("mainActor", .mainActor),
        ("asyncDecorators", .asyncDecorators),
    ]

    /// Those for which a seed draws, in this order.
    static let drawn = names.dropLast(5).map(\.feature)

    static let all = Features(names.map(\.feature))

    /// Those that are about two others.
    static let crossings = all.subtracting(Features(rawValue: (1 << 32) - 1))

    /// Changed by words such as `all`, `+forks`, `-async`; what is not known is not let pass.
    func changed(by text: String) -> Features {
        text.split(separator: " ").reduce(self) { features, word in
            if word == "all" { return .all }
            guard let known = Self.names.first(where: { $0.name == word.dropFirst() }) else {
                fatalError("no feature \(word); there are: \(Features.all)")
            }
            return word.hasPrefix("-")
                ? features.subtracting(known.feature) : features.union(known.feature)
        }
    }
}

extension Features: CustomStringConvertible {
    var description: String {
        Self.names.filter { contains($0.feature) }.map(\.name).joined(separator: " ")
    }
}
