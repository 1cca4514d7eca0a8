/// The key of a registration: the service's type, the types of its arguments, and a name.
@usableFromInline
package struct ServiceKey: Hashable, Sendable {
    /// The type that was registered or requested.
    package let serviceType: Any.Type
    /// The class of the factory's arguments, which stands for their types; nil for none.
    package private(set) var arguments: Arguments.Type?
    package private(set) var name: String?
    private(set) var role = Role.service

    /// The role of a registration for its type.
    ///
    /// A number, because every request compares it.
    package struct Role: Equatable, Sendable {
        let number: UInt

        // Computed, because each use of a stored constant checks whether it has been made (row "collection").

        /// It answers requests.
        static var service: Role { Role(number: 0) }
        /// It answers requests that nothing else answers: a default.
        static var fallback: Role { Role(number: .max) }

        /// It answers requests for every name that nothing else answers.
        static var anyName: Role { Role(number: .max - 1) }

        /// A further contribution to the collections of the type.
        static func newContribution() -> Role { Role(number: Serial.next()) }
    }

    /// The word that tables find the key by: for a type alone its address, which is even; otherwise a hash, which is
    /// odd.
    let word: UInt
}

extension ServiceKey {
    package init(
        _ serviceType: Any.Type,
        arguments: Arguments.Type? = nil,
        name: String? = nil,
        role: Role = .service
    ) {
        var bits = UInt(bitPattern: ObjectIdentifier(serviceType))
        if arguments != nil || name != nil || role != .service {
            if let arguments {
                bits = mixed(bits, UInt(bitPattern: ObjectIdentifier(arguments)))
            }
            if let name { bits = mixed(bits, Self.hash(name)) }
            bits = mixed(bits, role.number) | 1
        }
        self.init(serviceType: serviceType, word: bits)
        (self.arguments, self.name, self.role) = (arguments, name, role)
    }

    /// The key of a request with these arguments.
    @inline(__always)
    init(_ serviceType: Any.Type, _ name: String?, _ arguments: Arguments?) {
        if name == nil, arguments == nil {
            let address = UInt(bitPattern: ObjectIdentifier(serviceType))
            self.init(serviceType: serviceType, word: address)
        } else {
            self.init(serviceType, arguments: arguments.map { type(of: $0) }, name: name)
        }
    }

    /// The same key for another type.
    package func with(_ serviceType: Any.Type) -> ServiceKey {
        serviceType == self.serviceType
            ? self : ServiceKey(serviceType, arguments: arguments, name: name, role: role)
    }

    /// The key of the wrapped type, if the type is an optional.
    package var wrapped: ServiceKey? {
        (serviceType as? any OptionalValue.Type).map { with($0.wrappedType) }
    }

    /// The same key in another role.
    @inline(never)
    func with(_ role: Role) -> ServiceKey {
        ServiceKey(serviceType, arguments: arguments, name: name, role: role)
    }

    /// The key of the requests that the registration answers, which a default shares with other registrations.
    package var requested: ServiceKey { role == .fallback ? with(.service) : self }

    /// The key of a registration for any name, which may answer requests for this one.
    var keyForAnyName: ServiceKey? {
        name == nil || arguments != nil ? nil : ServiceKey(serviceType, role: .anyName)
    }

    /// True for a type alone.
    package var isTypeAlone: Bool { word & 1 == 0 }

    /// True for a contribution to collections, which never answers for its type.
    package var isContribution: Bool { role != .service && role != .fallback && role != .anyName }

    /// True for a registration that answers every name.
    package var isForAnyName: Bool { role == .anyName }

    /// The key for given arguments, one of which may be the name.
    func named(by arguments: Arguments?) -> ServiceKey {
        guard isForAnyName, name == nil, let name = arguments?.values.first as? String else {
            return self
        }
        return ServiceKey(serviceType, name: name, role: .anyName)
    }

    /// The types of the arguments.
    package var argumentTypes: [Any.Type] { arguments?.types ?? [] }

    @usableFromInline
    package static func == (left: ServiceKey, right: ServiceKey) -> Bool {
        left.serviceType == right.serviceType && left.arguments == right.arguments
            && left.role == right.role && left.name == right.name
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(word)
    }

    /// The hash of a name.
    ///
    /// `Hasher` takes 250 instructions for the shortest name (row 2).
    private static func hash(_ name: String) -> UInt {
        let hash =
            name.utf8.withContiguousStorageIfAvailable { hashASCII($0) } ?? hashASCII(name.utf8)
        return hash ?? UInt(bitPattern: name.hashValue)
    }

    /// Nil for a name that may equal one with other code units.
    ///
    /// Names are compared by characters, and three ASCII characters have canonical equivalents outside of ASCII
    /// (U+212A, U+1FEF and U+037E).
    @inline(__always)
    private static func hashASCII(_ units: some Sequence<UInt8>) -> UInt? {
        var bits: UInt = 0
        for unit in units {
            guard unit < 0x80, unit != UInt8(ascii: "K"), unit != UInt8(ascii: "`"),
                unit != UInt8(ascii: ";")
            else { return nil }
            bits = bits &* 31 &+ UInt(unit)
        }
        return bits
    }
}

/// Fibonacci hashing: an odd constant near 2^64 / φ spreads neighboring words, and the better, upper half is folded
/// onto the lower half, which tables look at.
func mixed(_ bits: UInt, _ word: UInt) -> UInt {
    let factor = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    let product = (bits ^ word) &* factor
    return product ^ product >> UInt(UInt.bitWidth / 2)
}
