import Depin

/// All that the random programs use and the code as it was did not have.
extension ResolutionError {
    var otherPath: [Step] {
        guard case .circularDependency(let otherPath) = reason else { return [] }
        return otherPath
    }
}
