extension ServiceKey {
    /// Stops the program if the arguments cannot be told apart, so that there cannot be an instance for each value.
    func checkArguments(at place: CodePlace) {
        guard let other = argumentTypes.first(where: { !($0 is any Hashable.Type) }) else { return }
        let name = TypeNames([serviceType] + argumentTypes)
        let isExistential = TypeFacts.of(other).isExistential
        let finding =
            isExistential
            ? "values of type any \(name(other)) have no `==`" : "\(name(other)) is not Hashable"
        let fix =
            isExistential
            ? "have the factory take AnyHashable, a concrete type, or a value that identifies it"
            : "make \(name(other)) Hashable, or have the factory take a value that identifies it"
        place.stop(
            """
            Depin: \(ResolutionError.Request(self)) cannot be shared for each value of its arguments: \
            \(finding)
              fix: \(fix)
            """
        )
    }
}
