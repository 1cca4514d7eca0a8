import Foundation

/// What the command line, or a test, decides.
struct Configuration: Sendable {
    var database: String
    /// How often the janitor comes, and how old an empty list must be for it.
    var cleaning: Duration = .seconds(60)
    var emptyFor: Duration = .seconds(3600)
}
