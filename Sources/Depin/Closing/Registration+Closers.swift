// The warnings about closers that do not fit a scope.

extension Registration {
    /// Prints that the closers never run, for a scope that keeps objects only and a service that is a value.
    func tellIfNeverClosed() {
        guard traits.contains(.hasClosers), kind == .weak, isValue(serviceType) else { return }
        printToStandardError(
            """
            Depin: \(subject) is a value, which scope \(scopeName) does not keep: its closers never run
              fix: give it a scope that keeps values, or make it a class
            """
        )
    }

    /// Prints that the closers do not run for an instance that another scope has kept until now.
    func tellUnclosed(keptIn scope: any ObjectScopeProtocol) {
        printToStandardError(
            """
            Depin: \(subject) changes from scope \(name(of: scope)) to scope \(scopeName) after an instance was built: \
            its closers do not run of that instance
              fix: choose the scope where you register the service
            """
        )
    }

    /// Without the arguments, which do not matter here.
    private var subject: String {
        "\(ResolutionError.Request(ServiceKey(serviceType, name: key.name))), registered at \(place)"
    }
}

extension Engine {
    /// True if a slot keeps an instance that would be closed.
    func keepsClosed(_ slot: Slot) -> Bool {
        slot.traits.contains(.hasClosers)
            && homes(of: slot).contains { $0.holder.hasShared(in: $0.slot) }
    }
}

/// True for the type of a struct, an enum, a tuple or a function, whose values are never objects.
func isValue(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalValue.Type { return isValue(optional.wrappedType) }
    // The kind is a type's first word, as the Swift ABI fixes it.
    let kind = unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee
    return [0x200, 0x201, 0x301, 0x302].contains(kind)
}

extension Slot {
    /// True where what the factory makes is to be closed: neither what is around another slot's instance, nor what was
    /// registered as an instance, which closes once.
    var closesWhatIsMade: Bool {
        traits.contains(.hasClosers) && !traits.contains(.isInstance)
    }
}
