/// An instance of a graph that has ended, held weakly, and so are the objects among the arguments it was
/// made for: one of them may hold the instance.
struct Survivor {
    private enum Argument {
        case object(WeakObject)
        case value(AnyHashable)
    }

    let reference: WeakObject
    private let arguments: [Argument]

    var object: AnyObject? { reference.object }

    /// Nil for what cannot be found again: values, and what was made for an argument that nothing equals or
    /// that holds objects in ways that cannot be seen through.
    static func of(_ box: AnyBox, _ arguments: Arguments?) -> Survivor? {
        guard let reference = WeakObject.to(box.anyValue) else { return nil }
        var remembered: [Argument] = []
        for value in arguments?.values ?? [] {
            if let object = WeakObject.to(value) {
                remembered.append(.object(object))
            } else if let value = value as? AnyHashable, value == value, !holdsObject(value.base) {
                remembered.append(.value(value))
            } else {
                return nil
            }
        }
        return Survivor(reference: reference, arguments: remembered)
    }

    func matches(_ others: Arguments) -> Bool {
        let values = others.values
        return arguments.count == values.count
            && zip(arguments, values).allSatisfy { argument, other in
                switch argument {
                case .value(let value):
                    return value == other as? AnyHashable
                case .object(let reference):
                    guard let object = reference.object else { return false }
                    if let one = object as? AnyHashable { return one == other as? AnyHashable }
                    return object === heapObject(in: other)
                }
            }
    }

    private static func holdsObject(_ value: Any) -> Bool {
        if heapObject(in: value) != nil { return true }
        let mirror = Mirror(reflecting: value)
        // A string or a collection is its elements, and no object.
        return mirror.children.contains { holdsObject($0.value) }
    }
}
