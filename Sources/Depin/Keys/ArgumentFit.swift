/// Which runtime arguments serve which parameters of an initializer, as far as the types tell.
package struct ArgumentFit {
    /// The parameters that are resolved.
    private(set) var needs: [ServiceKey] = []
    /// The arguments that no parameter takes.
    package private(set) var unused: [Any.Type] = []
    /// The arguments that serve more than one parameter.
    package private(set) var shared: [Any.Type] = []
    /// The parameters that more than one argument fits.
    package private(set) var contested: [Any.Type] = []

    /// A parameter with a name is resolved, whatever the arguments.
    @_optimize(size)
    package init(of arguments: [Any.Type], to parameters: [ServiceKey]) {
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
            arguments.map { TypeFacts.of($0).fit(to: TypeFacts.of(parameter)) }
        }
        // An argument that has no other place may have one where only its value can tell.
        let unplaced = arguments.indices.filter { index in
            served[index] == 0 && !fits.contains { $0[index] == .sure }
        }
        for (parameter, fits) in zip(others, fits) {
            if let first = fits.firstIndex(of: .sure) {
                served[first] += 1
                if fits[(first + 1)...].contains(.sure) { contested.append(parameter) }
            } else if !unplaced.contains(where: { fits[$0] == .possible }) {
                needs.append(ServiceKey(parameter))
            }
        }
        shared = arguments.indices.filter { served[$0] > 1 }.map { arguments[$0] }
        unused = unplaced.filter { index in !fits.contains { $0[index] == .possible } }
            .map { arguments[$0] }
    }
}

extension TypeFacts {
    /// Whether a value of a type can be cast to another one.
    enum Fit {
        case sure
        /// Its value decides.
        case possible
        case none
    }

    /// Whether a value of this type can be cast to another one.
    ///
    /// A class counts by what it conforms to itself, not by what a subclass may.
    func fit(to other: TypeFacts) -> Fit {
        if let wrappedType {
            let fit = TypeFacts.of(wrappedType).fit(to: other)
            return fit == .sure && other.wrappedType == nil && other.type != Any.self
                ? .possible : fit
        }
        if let wrapped = other.wrappedType { return fit(to: TypeFacts.of(wrapped)) }
        if type == other.type || isKnown(toBe: other) { return .sure }
        // Two protocols, or one of which the runtime finds no conformances; collections are cast
        // element by element.
        let isOpen =
            other.isKnown(toBe: self) || isExistential && other.isExistential
            || isOpaque || other.isOpaque || isCollection && other.isCollection
            || type == AnyHashable.self || other.type == AnyHashable.self
        return isOpen ? .possible : .none
    }

    private var isCollection: Bool { type is any Collection.Type }
}
