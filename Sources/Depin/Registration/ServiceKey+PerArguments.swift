extension ServiceKey {
    /// Stops the program where an instance for each value of the arguments cannot be, for lack of a way to
    /// tell them apart.
    func checkArguments(at place: CodePlace) {
        guard let other = argumentTypes.first(where: { !($0 is any Hashable.Type) }) else { return }
        let name = TypeNames([serviceType] + argumentTypes)
        place.stop(
            """
            Depin: \(ResolutionError.Request(self)) cannot be shared for each value of its arguments: \
            \(name(other)) is not Hashable
              fix: make \(name(other)) Hashable, or have the factory take what tells two of them apart
            """
        )
    }
}
