import Depin

/// Which runtime arguments serve which parameters of an initializer, as far as the types tell.
final class ArgumentFit {
    /// The parameters that are resolved.
    private(set) var needs: [ServiceKey] = []
    /// The arguments that no parameter takes.
    private(set) var unused: [Any.Type] = []
    /// The arguments that serve more than one parameter.
    private(set) var shared: [Any.Type] = []
    /// The parameters that more than one argument fits.
    private(set) var contested: [Any.Type] = []

    /// Fits arguments to parameters; a parameter with a name is always resolved.
    init(of arguments: [Any.Type], to parameters: [ServiceKey]) {
        // How many parameters each argument serves.
        var served = arguments.map { _ in 0 }
        var others: [Any.Type] = []
        for parameter in parameters {
            let type = parameter.serviceType
            if parameter.name != nil {
                needs.append(parameter)
            } else if let exact = arguments.indices.first(where: {
                served[$0] == 0 && arguments[$0] == type
            }) {
                served[exact] = 1
            } else {
                others.append(type)
            }
        }
        let fits = others.map { parameter in
            arguments.map { ServiceKey($0).fits(ServiceKey(parameter)) }
        }
        // An argument without a place may still have one that only its value can tell.
        let unplaced = arguments.indices.filter { index in
            served[index] == 0 && !fits.contains { $0[index] == true }
        }
        for (parameter, fits) in zip(others, fits) {
            if let first = fits.firstIndex(of: true) {
                served[first] += 1
                if fits[(first + 1)...].contains(true) { contested.append(parameter) }
            } else if !unplaced.contains(where: { fits[$0] == nil }) {
                needs.append(ServiceKey(parameter))
            }
        }
        shared = arguments.indices.filter { served[$0] > 1 }.map { arguments[$0] }
        unused = unplaced.filter { index in !fits.contains { $0[index] == nil } }
            .map { arguments[$0] }
    }
}

extension Registration {
    /// What the factory resolves, if that is known from an initializer.
    var declaredNeeds: [ServiceKey] {
        guard let dependencies, !key.argumentTypes.isEmpty else { return dependencies ?? [] }
        return ArgumentFit(of: key.argumentTypes, to: dependencies).needs
    }
}
