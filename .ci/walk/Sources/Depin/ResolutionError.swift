/// A wait carries a path for the message of a circle, which the walk has no need of.
enum ResolutionError {
    struct Step {}
}
