/// The name by which people know a type: `any Store<Self.Store.Item == Array<Int>>` becomes `Store<[Int]>`.
///
/// It has no module and no `any`. Optionals, arrays, dictionaries and `Void` are written as in source code.
@inline(never)
package func readableName(of type: Any.Type) -> String {
    TypeFacts.of(type).readableName
}

/// The name with the module and the enclosing types, `App.Feed.Item`, for types that share a name.
func qualifiedName(of type: Any.Type) -> String {
    TypeText.readable(String(reflecting: type))
}

/// Names for the types of one text, in which types that share a name are told apart.
package struct TypeNames {
    private var ambiguous = RareSet<String>()

    package init(_ types: [Any.Type]) {
        var known = RareTable<String, Any.Type>()
        for type in types {
            let name = readableName(of: type)
            if let other = known[name], other != type { ambiguous[name] = () }
            known[name] = type
        }
    }

    /// The names of some types, as a list.
    func list(_ types: [Any.Type]) -> String {
        types.map { self($0) }.joined(separator: ", ")
    }

    @inline(never)
    package func callAsFunction(_ type: Any.Type) -> String {
        let name = readableName(of: type)
        return ambiguous.contains(name) ? qualifiedName(of: type) : name
    }
}
