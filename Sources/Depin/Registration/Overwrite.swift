/// A registration that replaced another one under a key of a container.
package struct Overwrite {
    /// How many are remembered of a key, since it may be registered anew all the time.
    static let limit = 8

    /// The number of the registration that replaced.
    package let registration: UInt
    package let place: CodePlace
    package let replaced: CodePlace
    /// True if the replaced registration had handed out a shared instance.
    package let wasHandedOut: Bool
    /// True if the registration says that it overrides.
    package internal(set) var isMeant: Bool
}
