/// Runs what may fail in a form that cannot throw: the error's whole message stops the program.
@inlinable
@inline(__always)
func trapping<Result>(_ body: () throws -> Result) -> Result {
    do {
        return try body()
    } catch {
        trap(error)
    }
}

/// Stops the program with the error's message.
@usableFromInline
@inline(never)
func trap(_ error: any Error) -> Never {
    fatalError("Depin: \(error)\(Resolution.account)")
}
