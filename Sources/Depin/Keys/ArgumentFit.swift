/// Which runtime arguments serve which parameters of an initializer, as far as the types tell.
package final class ArgumentFit {
    /// The parameters that are resolved.
    private(set) var needs: [ServiceKey] = []
    /// The arguments that no parameter takes.
    package private(set) var unused: [Any.Type] = []
    /// The arguments that serve more than one parameter.
    package private(set) var shared: [Any.Type] = []
    /// The parameters that more than one argument fits.
    package private(set) var contested: [Any.Type] = []

    /// Fits arguments to parameters; a parameter with a name is always resolved.
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
            arguments.map { TypeFacts.of($0).fits(TypeFacts.of(parameter)) }
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

extension TypeFacts {
    /// Whether a value of this type can be cast to another one; nil if only the value tells.
    ///
    /// For a class, its own conformances count, not those of subclasses.
    func fits(_ other: TypeFacts) -> Bool? {
        if let wrappedType {
            let fits = TypeFacts.of(wrappedType).fits(other)
            return fits == true && other.wrappedType == nil && other.type != Any.self ? nil : fits
        }
        if let wrapped = other.wrappedType { return fits(TypeFacts.of(wrapped)) }
        if type == other.type || isKnown(toBe: other) { return true }
        // Two protocols, or a protocol whose conformances the runtime does not find; collections are cast element by
        // element.
        let isOpen =
            other.isKnown(toBe: self) || isExistential && other.isExistential
            || isOpaque || other.isOpaque || isCollection && other.isCollection
            || type == AnyHashable.self || other.type == AnyHashable.self
        return isOpen ? nil : false
    }

    private var isCollection: Bool { type is any Collection.Type }
}
