/// Hears of the properties that are made under overrides.
package protocol PropertyWatch: AnyObject, Sendable {
    func add(_ property: AnyObject, at place: CodePlace)
}

/// Under which a watch stands in the space, so that it goes wherever the overrides go.
package enum PropertyWatchKey: SpaceKey {
    package static var defaultValue: (any PropertyWatch)? { nil }
}
