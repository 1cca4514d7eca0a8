// The runtime's records of a type's stored properties, in the layout that the Swift ABI fixes.

/// The runtime's record of the stored properties of one type, or of the payloads of an enum.
struct FieldDescriptor {
    private let start: UnsafeRawPointer

    /// The descriptors of all loaded images.
    static var ofThisProgram: some Sequence<FieldDescriptor> {
        FieldSections.all.lazy.flatMap(all)
    }

    /// The descriptors of a section.
    static func all(in section: UnsafeRawBufferPointer) -> some Sequence<FieldDescriptor> {
        sequence(state: section) { rest in
            guard rest.count >= headerSize, let start = rest.baseAddress else { return nil }
            let descriptor = FieldDescriptor(start: start)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(descriptor.size))
            return descriptor
        }
    }

    /// The type itself; nil for a generic type.
    var type: Any.Type? { MangledName(relativeAt: start)?.type }

    /// The type that has the fields.
    var owner: ContextDescriptor? { MangledName(relativeAt: start)?.context }

    var fields: some Sequence<Field> {
        (0..<count).lazy.map { Field(start: start + Self.headerSize + $0 * recordSize) }
    }

    struct Field {
        fileprivate let start: UnsafeRawPointer

        /// The type of the field; nil if it has none, like a case without a payload.
        var type: MangledName? { MangledName(relativeAt: start + 4) }

        /// The name of the property, without the prefix of a wrapper or of `lazy`.
        var name: String {
            guard let name = start.relative(at: 8) else { return "" }
            let written = String(cString: name.assumingMemoryBound(to: UInt8.self))
            for prefix in ["$__lazy_storage_$_", "_"] where written.hasPrefix(prefix) {
                return String(written.dropFirst(prefix.count))
            }
            return written
        }
    }

    // The names of both types, the kind, the size of a record, and the number of records.
    private static let headerSize = 16
    private var recordSize: Int { Int(start.load(fromByteOffset: 10, as: UInt16.self)) }
    private var count: Int { Int(start.load(fromByteOffset: 12, as: UInt32.self)) }
    private var size: Int { Self.headerSize + count * recordSize }
}

/// A type's name as it lies in an image: text with references to descriptors in it.
struct MangledName {
    private let start: UnsafeRawPointer

    init?(relativeAt place: UnsafeRawPointer) {
        guard let start = place.relative(at: 0) else { return nil }
        self.start = start
    }

    /// The type; nil if the name depends on a generic parameter.
    var type: Any.Type? {
        // For some such names the runtime gives another type, or stops the program.
        guard !hasParameter else { return nil }
        return _getTypeByMangledNameInContext(
            start.assumingMemoryBound(to: UInt8.self),
            UInt(length),
            genericContext: nil,
            genericArguments: nil
        )
    }

    /// The type that the name begins with; a generic type without its arguments.
    var context: ContextDescriptor? { context(at: 0) }

    /// True if the name contains a type anywhere.
    func mentions(_ type: ContextDescriptor) -> Bool {
        places.contains { context(at: $0) == type }
    }

    /// True for a type itself, with whatever arguments, for an optional or a weak reference of it, and for a tuple with
    /// it.
    func isMade(of type: ContextDescriptor) -> Bool {
        var letters = letters[...]
        while ["Sg", "Xw", "Xo", "Xu"].contains(where: { letters.hasSuffix($0) }) {
            letters = letters.dropLast(2)
        }
        // A function that returns such a tuple begins like it, but ends otherwise.
        return letters.hasSuffix("t") ? mentions(type) : letters.hasSuffix("G") && context == type
    }

    /// True if the name contains a generic parameter, or something declared in a generic type.
    private var hasParameter: Bool {
        var letters = letters[...]
        while let letter = letters.popFirst() {
            switch letter {
            case "x", "q":
                return true
            case "Q":
                if let next = letters.first, "zZyY".contains(next) { return true }
            case "S", "X", "Y":
                // A name of one or two letters, such as a type of the standard library.
                letters = letters.dropFirst()
            case "A", "$":
                // A number that refers to an earlier part or stands by itself, and its end.
                letters = letters.drop { $0.isNumber || $0.isLowercase }.dropFirst()
            case "1"..."9":
                letters = Substring([letter] + letters).afterText
            case "0":
                letters = letters.afterWords
            default:
                break
            }
        }
        return false
    }

    /// The text, with one control character for each reference.
    private var letters: String {
        let bytes = places.map { start.load(fromByteOffset: $0, as: UInt8.self) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func context(at place: Int) -> ContextDescriptor? {
        switch start.load(fromByteOffset: place, as: UInt8.self) {
        case 0x01:
            return start.relative(at: place + 1).map(ContextDescriptor.init)
        case 0x02:
            return start.relative(at: place + 1)?.load(as: UnsafeRawPointer?.self)
                .map(ContextDescriptor.init)
        default:
            return nil
        }
    }

    /// Where each character and each reference begins.
    private var places: some Sequence<Int> {
        sequence(first: 0, next: next(after:)).lazy.prefix {
            start.load(fromByteOffset: $0, as: UInt8.self) != 0
        }
    }

    private var length: Int { places.reduce(0) { next(after: $1) } }

    private func next(after place: Int) -> Int {
        switch start.load(fromByteOffset: place, as: UInt8.self) {
        case 0x01...0x17: place + 1 + MemoryLayout<Int32>.size
        case 0x18...0x1F: place + 1 + MemoryLayout<Int>.size
        default: place + 1
        }
    }
}

/// The runtime's record of a type, or of the context that a type is declared in.
struct ContextDescriptor: Equatable {
    fileprivate let start: UnsafeRawPointer

    /// The descriptor of a class, which its metadata points to.
    init(of type: AnyClass) {
        // In words: kind and superclass, with Objective-C also cache and data. Then 24 bytes of sizes.
        #if canImport(ObjectiveC)
        let words = 5
        #else
        let words = 2
        #endif
        start = unsafeBitCast(type, to: UnsafeRawPointer.self)
            .load(fromByteOffset: words * MemoryLayout<Int>.size + 24, as: UnsafeRawPointer.self)
    }

    fileprivate init(_ start: UnsafeRawPointer) {
        self.start = start
    }

    /// The module that declares the type.
    var module: String { parent?.module ?? name ?? "" }

    /// The type as in source code, `Screens.Feed`, with the enclosing types.
    var path: String { (parent?.pathInside ?? "") + (name ?? "") }

    private var pathInside: String {
        if isModule { return "" }
        if isType { return path + "." }
        if isExtension { return extended.map { $0.path + "." } ?? "" }
        // A function, or a file with something private in it.
        return parent?.pathInside ?? ""
    }

    private var kind: UInt32 { start.load(as: UInt32.self) & 0x1F }
    private var isModule: Bool { kind == 0 }
    private var isExtension: Bool { kind == 1 }
    private var isType: Bool { kind >= 16 }

    private var parent: ContextDescriptor? {
        let offset = start.load(fromByteOffset: 4, as: Int32.self)
        guard offset != 0 else { return nil }
        let place = start + 4 + Int(offset & ~1)
        // The lowest bit says that there is a pointer to the descriptor.
        guard offset & 1 == 1 else { return ContextDescriptor(place) }
        return place.load(as: UnsafeRawPointer?.self).map(ContextDescriptor.init)
    }

    /// The type that an extension extends; nil for types of the standard library, which have letters instead of
    /// references.
    private var extended: ContextDescriptor? { MangledName(relativeAt: start + 8)?.context }

    private var name: String? {
        guard isModule || isType else { return nil }
        return start.relative(at: 8)
            .map { String(cString: $0.assumingMemoryBound(to: UInt8.self)) }
    }
}

/// The types of a tuple's elements; nil for other types.
func elements(ofTuple type: Any.Type) -> [Any.Type]? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let word = MemoryLayout<Int>.size
    guard metadata.load(as: Int.self) == 0x301 else { return nil }
    let count = metadata.load(fromByteOffset: word, as: Int.self)
    // The labels come next, then the type and the offset of each element.
    return (0..<count).map {
        metadata.load(fromByteOffset: (3 + 2 * $0) * word, as: Any.Type.self)
    }
}

extension UnsafeRawPointer {
    /// The target of a relative pointer, which is a distance from its own place; nil for none.
    fileprivate func relative(at offset: Int) -> UnsafeRawPointer? {
        let distance = loadUnaligned(fromByteOffset: offset, as: Int32.self)
        return distance == 0 ? nil : self + offset + Int(distance)
    }
}

extension Substring {
    /// The rest after a text and its length.
    fileprivate var afterText: Substring { afterText(isEncoded: false) }

    private func afterText(isEncoded: Bool) -> Substring {
        let digits = prefix(while: \.isNumber)
        let text = dropFirst(digits.count)
        let hasMark = isEncoded && text.first == "_"
        return text.dropFirst((Int(digits) ?? 0) + (hasMark ? 1 : 0))
    }

    /// The rest after an identifier that repeats words, and its first zero.
    ///
    /// Letters stand for earlier words, a capital for the last one. Each row of letters is followed by a text, or by a
    /// zero, which ends the identifier.
    fileprivate var afterWords: Substring {
        // With a second zero it is a single text that is not ASCII.
        if first == "0" { return dropFirst().afterText(isEncoded: true) }
        var rest = self
        var hasMoreWords = true
        while hasMoreWords {
            rest = rest.drop(while: \.isLowercase)
            if let last = rest.first, last.isUppercase {
                hasMoreWords = false
                rest = rest.dropFirst()
            }
            guard rest.first != "0" else { return rest.dropFirst() }
            rest = rest.afterText
        }
        return rest
    }
}
