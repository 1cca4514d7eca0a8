/// What a registration is found by: the service's type, its arguments' types, a name and an option.
///
/// Two requests with equal keys mean the same registration. Names compare as strings.
public struct ServiceKey: Hashable, Sendable {
    /// The type that was registered or asked for.
    public let serviceType: Any.Type
    /// The tuple `(Resolver, …)` of what the factory takes, or nil where it takes no argument.
    @usableFromInline let tupleType: Any.Type?
    /// Name and option, which most keys lack, behind one word.
    @usableFromInline let label: Label?

    /// What tells apart the registrations of one type with the same arguments.
    ///
    /// Unchecked: nothing changes, and an option is immutable by contract.
    @usableFromInline
    final class Label: @unchecked Sendable {
        @usableFromInline let name: String?
        @usableFromInline let option: (any ServiceKeyOption)?
        /// The hash of both, kept so that a growing registry runs no code of the user's.
        @usableFromInline let bits: UInt
        @usableFromInline let hasOption: Bool

        init(name: String?, option: (any ServiceKeyOption)?) {
            self.name = name
            self.option = option
            hasOption = option != nil
            var bits = UInt(bitPattern: name?.hashValue ?? 0)
            if let option {
                var hasher = Hasher()
                option.hash(into: &hasher)
                bits ^= UInt(bitPattern: hasher.finalize()) &* 31
            }
            self.bits = bits
        }
    }

    init(
        _ serviceType: Any.Type,
        tuple: Any.Type? = nil,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil
    ) {
        self.serviceType = serviceType
        tupleType = tuple
        label = name == nil && option == nil ? nil : Label(name: name, option: option)
    }

    /// The name, if there is one.
    public var name: String? { label?.name }

    /// What an extension package added to the key, if anything.
    public var option: (any ServiceKeyOption)? { label?.option }

    /// The types of what the factory takes: `Resolver`, or a tuple that begins with it.
    public var argumentsType: Any.Type { tupleType ?? (any Resolver).self }

    /// True when both have the same types and the same name.
    public static func == (left: ServiceKey, right: ServiceKey) -> Bool {
        guard left.serviceType == right.serviceType, left.tupleType == right.tupleType else {
            return false
        }
        guard let one = left.label, let other = right.label else {
            return left.label == nil && right.label == nil
        }
        return one.name == other.name && isSame(one.option, other.option)
    }

    /// Feeds the types and the name to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UInt(bits))
    }

    private static func isSame(
        _ one: (any ServiceKeyOption)?,
        _ other: (any ServiceKeyOption)?
    ) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.isEqualTo(other)
        default: false
        }
    }
}

/// A further part of a key, for packages that build on Depin.
///
/// `Container._register(_:factory:name:option:)` and `_Resolver._resolve(name:option:invoker:)` take
/// one, as <doc:Migration#Packages-that-extend-the-container> shows. Registrations whose options
/// differ do not see each other.
///
/// ```swift
/// struct Storyboard: ServiceKeyOption {
///     let controller: String
///     var description: String { "Storyboard: \(controller)" }
///     func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
///         (another as? Storyboard)?.controller == controller
///     }
///     func hash(into hasher: inout Hasher) { hasher.combine(controller) }
/// }
/// ```
///
/// An option is read from any thread, so it must be immutable.
public protocol ServiceKeyOption: CustomStringConvertible {
    /// True when the other option stands for the same key.
    func isEqualTo(_ another: any ServiceKeyOption) -> Bool
    /// Feeds to the hasher what ``isEqualTo(_:)`` compares.
    func hash(into hasher: inout Hasher)
}

// MARK: - Hashing

extension ServiceKey {
    /// The hash by which the registry finds the key.
    ///
    /// Types are hashed by their address, which is all their identity, so a look-up by type alone
    /// costs a multiplication.
    var bits: UInt {
        var bits = Self.bits(of: ObjectIdentifier(serviceType))
        if let tupleType {
            bits = Self.mix(bits, UInt(bitPattern: ObjectIdentifier(tupleType)))
        }
        if let label {
            bits = Self.mix(bits, label.bits)
        }
        return bits
    }

    @inlinable
    @inline(__always)
    static func bits(of type: ObjectIdentifier) -> UInt {
        mix(0, UInt(bitPattern: type))
    }

    @inlinable
    @inline(__always)
    static func mix(_ bits: UInt, _ word: UInt) -> UInt {
        // Fibonacci hashing: an odd constant near 2^64 / φ spreads neighbouring addresses, and the
        // high half, the better one, is folded onto the low half that the table looks at.
        let product = (bits ^ word) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
        return product ^ product >> UInt(UInt.bitWidth / 2)
    }
}
