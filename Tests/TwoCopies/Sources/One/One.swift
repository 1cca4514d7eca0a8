import Depin

/// Registers in the container of the process, or of this library's own copy of Depin.
@_cdecl("registerInOne")
public func register() {
    SpaceValues.current.dependenciesContainer.register(Int.self) { 1 }
}
